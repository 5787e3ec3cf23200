import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/*
 * npm run english -- [PATH…]           lists hard words in comments, test names, messages and pages, and long sentences
 * npm run english -- --count [PATH…]   prints only the number of findings of each kind
 * npm run english -- --sample comment  prints 200 random comments (or `test name`, `message`); see `--size`, `--seed`
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'boolean', default: false },
    sample: { type: 'string' },
    size: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})

interface Finding {
  readonly kind: string
  readonly file: string
  readonly line: number
  readonly text: string
}

const root = resolve(import.meta.dirname, '..')
const paths = positionals.length > 0 ? positionals : ['.']

if (values.sample !== undefined) {
  const all = lint('list-prose').filter(({ kind }) => kind === values.sample)
  for (const { file, line, text } of choose(all, Number(values.size), Number(values.seed))) {
    console.log(`${file}:${line}  ${text.replaceAll(/\s+/g, ' ')}`)
  }
} else {
  const findings = [...lint('plain-english'), ...proofread()]
  if (values.count) {
    for (const kind of new Set(findings.map((each) => each.kind))) {
      console.log(`${String(findings.filter((each) => each.kind === kind).length).padStart(7)}  ${kind}`)
    }
  } else {
    for (const { kind, file, line, text } of findings) console.log(`${file}:${line}  ${kind}: ${text}`)
    process.exitCode = findings.length > 0 ? 1 : 0
  }
}

/** Lints the code with a single rule of the lint plugin. */
function lint(rule: string): readonly Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-english-'))
  const config = join(folder, 'oxlintrc.json')
  const settings = {
    plugins: [],
    categories: { correctness: 'off' },
    jsPlugins: [join(root, 'scripts/lint/fences.mjs')],
    rules: { [`storeport/${rule}`]: 'error' },
    ignorePatterns: ['**/dist/**', '**/node_modules/**', '**/.next/**'],
  }
  writeFileSync(config, JSON.stringify(settings))
  const output = run('oxlint', ['-c', config, '--format', 'json', ...paths])
  rmSync(folder, { recursive: true })
  const diagnostics: readonly Diagnostic[] = JSON.parse(output).diagnostics
  return diagnostics.map(({ message, filename, labels: [label] }) => {
    const [, kind = '', text = ''] = /^(?:Hard word in a )?([a-z ]+): ([^]*)$/.exec(message) ?? []
    return { kind, file: filename, line: label?.span.line ?? 0, text }
  })
}

interface Diagnostic {
  readonly message: string
  readonly filename: string
  readonly labels: readonly { readonly span: { readonly line: number } }[]
}

/** Runs textlint on the Markdown pages. */
function proofread(): readonly Finding[] {
  const output = run('textlint', [
    ...['--config', join(root, '.textlintrc.json'), '--ignore-path', join(root, '.textlintignore')],
    ...['--rulesdir', join(root, 'scripts/english/pages'), '--format', 'json'],
    ...pagesIn(paths),
  ])
  const pages: readonly Page[] = output.startsWith('[') ? JSON.parse(output) : []
  return pages.flatMap(({ filePath, messages }) =>
    messages.map(({ message, line }) => ({ kind: 'page', file: relative('', filePath), line, text: message })),
  )
}

interface Page {
  readonly filePath: string
  readonly messages: readonly { readonly message: string; readonly line: number }[]
}

function pagesIn(folders: readonly string[]): readonly string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', ...folders], { encoding: 'utf8' })
  return stdout.split('\0').filter((file) => file.endsWith('.md'))
}

function run(tool: string, parameters: readonly string[]): string {
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', tool), parameters, {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  if (stdout === '' && stderr !== '') throw new Error(`${tool}: ${stderr}`)
  return stdout
}

/** Selects pseudorandom items from a list, with the Park–Miller generator. The same seed selects the same items. */
function choose<T>(list: readonly T[], size: number, seed: number): readonly T[] {
  let state = seed
  const keyed = list.map((value) => {
    state = (state * 48_271) % 2_147_483_647
    return { value, key: state }
  })
  return keyed
    .toSorted((one, other) => one.key - other.key)
    .slice(0, size)
    .map(({ value }) => value)
}
