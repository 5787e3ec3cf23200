import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parseArgs } from 'node:util'
import { filesOfPost } from './files-of-a-post.ts'

/*
 * Prints size figures of this repository, such as lines of code, files that run for a POST request, and files to change
 * for a new endpoint. `--list` adds the files of the POST request. `--check` compares the lines of code and the words of
 * Markdown with `size-budget.json`: it fails far above the budget, and with `--strict` above it at all.
 */

const code = new Set(['.ts', '.tsx', '.css', '.mjs'])
const other = new Set(['.sql', '.svg', '.html', '.sh', '.py', '.yml'])
/** How far a size may be above its budget, unless the check is strict. */
const tolerance = { lines: 1_500, words: 1_000 }

const flag = { type: 'boolean', default: false } as const
const { list, check, strict } = parseArgs({ options: { list: flag, check: flag, strict: flag } }).values
const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
const linesOf = new Map(files.filter((file) => isOf(file, code)).map((file) => [file, countLines(file)]))
if (check) {
  const budget: typeof tolerance = JSON.parse(readFileSync('scripts/size-budget.json', 'utf8'))
  const words = sum(files.filter((file) => file.endsWith('.md')).map(countWords))
  const sizes = { lines: sum([...linesOf.values()]), words }
  console.log(`${sizes.lines} lines of code, ${words} words of Markdown`)
  for (const name of ['lines', 'words'] as const) {
    const excess = sizes[name] - budget[name]
    if (excess <= 0) continue
    const isError = strict || excess > tolerance[name]
    if (isError) process.exitCode = 1
    console.error(
      `${isError ? 'error' : 'warning'}: ${sizes[name]} ${name} are ${excess} more than the budget of ${budget[name]}.`,
    )
  }
  process.exit()
}
const sources = [...linesOf.keys()].filter((file) => /^packages\/[^/]+\/(src|page)\/.*\.tsx?$/.test(file))

const lengths = sources.map((file) => linesOf.get(file) ?? 0).toSorted((one, two) => one - two)

const post = await filesOfPost()

const rewritten = ['account', 'rows', 'save', 'actions', 'server'].map((name) => `examples/own-database/${name}.ts`)

const figures: readonly (readonly [string, string | number])[] = [
  ['lines of code (ts, tsx, css, mjs)', sum([...linesOf.values()])],
  ['of these in tests', sum([...linesOf].filter(([file]) => isTest(file)).map(([, lines]) => lines))],
  ['lines in other languages', sum(files.filter((file) => isOf(file, other)).map(countLines))],
  ['code files', linesOf.size],
  ['source files', sources.length],
  ['lines of the median source file', lengths[Math.floor(lengths.length / 2)] ?? 0],
  ['source files that one POST runs through', post.length],
  ['lines that a merchant rewrites in examples/own-database', sum(rewritten.map(countCodeLines))],
  ['files to change for a new endpoint, besides its own', placesOf('A new endpoint')],
  ['files to change for a new field of Product', placesOf('A new field of Product')],
]
for (const [name, figure] of figures) console.log(`${String(figure).padStart(7)}  ${name}`)
for (const line of list ? post : []) console.log(line)

function isOf(file: string, extensions: ReadonlySet<string>): boolean {
  return extensions.has(extname(file))
}

function isTest(file: string): boolean {
  return /^(test|testing)\/|\/test\//.test(file)
}

function countLines(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1
}

/** Counts words as `wc -w` does. */
function countWords(file: string): number {
  return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).length
}

/** Counts the lines that are not empty and not comments. */
function countCodeLines(file: string): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => !/^\s*(?:\/\/|\/\*|\*|$)/.test(line)).length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Counts the files that a section of CONTRIBUTING.md names, except the contract growth test. */
function placesOf(title: string): number {
  const section = readFileSync('CONTRIBUTING.md', 'utf8').split(`### ${title}\n`)[1]?.split('\n#')[0] ?? ''
  return (
    new Set(section.match(/`(?:packages|test|testing)\/[^`]+\.ts`/g)).size - Number(section.includes('contract-growth'))
  )
}
