import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from '@storeport/testing/make-folder'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

it('reports type errors only in the files that CONTRIBUTING.md lists after a field is added to Product', async () => {
  const copy = await copySources()
  replaceIn(
    join(copy, 'packages/core/src/contract/schemas.ts'),
    'compare_at_price: z.optional(Money),',
    'compare_at_price: z.optional(Money),\n  invented_field: z.optional(Text),',
  )
  expect(await findFilesWithErrors(copy)).toEqual(listedUnder('A new field of Product'))
}, 300_000)

it('causes type errors only in the files that CONTRIBUTING.md lists, if a twelfth endpoint is added', async () => {
  const copy = await copySources()
  const core = join(copy, 'packages/core/src/contract')
  cpSync(join(core, 'undo-add-product.ts'), join(core, 'pause-subscription.ts'))
  const row = join(core, 'pause-subscription.ts')
  writeFileSync(
    row,
    readFileSync(row, 'utf8')
      .replaceAll('UndoAddProduct', 'PauseSubscription')
      .replaceAll('undoAddProduct', 'pauseSubscription')
      .replace('/upsells/undo-add-product', '/customer-portal/pause')
      .replace('undoButton', 'pauseButton'),
  )
  const table = join(core, 'endpoints.ts')
  replaceIn(table, '  getDiscount,\n}', '  getDiscount,\n  pauseSubscription,\n}')
  appendFileSync(table, "\nimport { pauseSubscription } from './pause-subscription.ts'\n")
  const port = join(core, 'store-port.ts')
  replaceIn(
    port,
    'getDiscount(input',
    'pauseSubscription(input: PauseSubscriptionInput, context: Context): Promise<void>\n  getDiscount(input',
  )
  appendFileSync(port, "\nimport type { PauseSubscriptionInput } from './pause-subscription.ts'\n")
  const operations = join(copy, 'packages/rules/src/operations')
  const rule = readFileSync(join(operations, 'undo-add-product.ts'), 'utf8')
  writeFileSync(join(operations, 'pause-subscription.ts'), rule.replaceAll('undoAddProduct', 'pauseSubscription'))
  const rules = join(copy, 'packages/rules/src/bind-rules.ts')
  replaceIn(rules, '  getDiscount,\n}', '  getDiscount,\n  pauseSubscription,\n}')
  appendFileSync(rules, "\nimport { pauseSubscription } from './operations/pause-subscription.ts'\n")
  expect(await findFilesWithErrors(copy)).toEqual(listedUnder('A new endpoint'))
}, 300_000)

/** Copies the tracked and untracked source files to a temporary folder, and links `node_modules`. */
async function copySources(): Promise<string> {
  const copy = await makeFolder('growth')
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((name) => /\.(?:tsx?|json|css|svg)$/.test(name))) {
    cpSync(join(root, file), join(copy, file), { recursive: true, force: true, dereference: false })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function replaceIn(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text, file).toContain(before)
  writeFileSync(file, text.replace(before, after))
}

async function findFilesWithErrors(folder: string): Promise<string[]> {
  const output = await new Promise<string>((done) => {
    execFile('npm', ['run', 'types'], { cwd: folder, maxBuffer: 2 ** 26 }, (_error, stdout) => done(stdout))
  })
  const files = Array.from(output.matchAll(/^(\S+?)\(\d+,\d+\): error TS/gm), ([, file = '']) => file)
  return [...new Set(files)].toSorted()
}

/** Returns the paths that a section of CONTRIBUTING.md lists, relative to the root. */
function listedUnder(title: string): string[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
  return Array.from(section.matchAll(/^- `([^`]+)`/gm), ([, file = '']) => file).toSorted()
}
