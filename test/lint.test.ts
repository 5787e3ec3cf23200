import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '@storeport/testing/make-folder'
import { beforeAll, describe, expect, it } from 'vitest'

/** Source code of each file that the linter must reject, by path. */
type Probes = Readonly<Record<string, string>>

const restricted = 'eslint(no-restricted-imports)'

/** Code that each rule rejects. */
const rejected: Readonly<Record<string, Probes>> = {
  'storeport(no-import-out-of-package)': {
    'packages/rules/src/relative-import-that-leaves-a-package.ts': `export { neighbour } from '../../core/src/neighbour.ts'`,
    'packages/rules/test/account/relative-import-from-a-test.ts': `export const load = () => import('../../../core/src/neighbour.ts')`,
  },
  'storeport(reason-for-disabling)': {
    'packages/core/src/disabled-rule-without-a-reason.ts': `// oxlint-disable-next-line typescript/consistent-type-assertions\nexport const parse = (text: string) => JSON.parse(text) as string`,
  },
  'storeport(only-protocol-reads-clicks)': {
    'packages/redis/src/ledger-that-reads-a-field-of-a-stored-click.ts': `export const end = (stored: { readonly windowEnd: number }) => stored.windowEnd`,
    'packages/core/src/retries/guard-that-destructures-a-stored-click.ts': `export const isOpen = ({ isDoubtful: isOld }: { readonly isDoubtful: boolean }) => isOld`,
    'examples/own-database/example-that-reads-a-stored-click.ts': `export const isLeft = (click: { readonly doneAt?: number } | undefined) => click?.doneAt === undefined`,
  },
  [restricted]: {
    'packages/core/src/core-module-that-imports-another-package.ts': `export { openSqlStore } from '@storeport/store-sql'`,
    'packages/store-sql/src/store-that-imports-an-adapter.ts': `export { toExpress } from '@storeport/express'`,
    'packages/conformance/src/kit-that-imports-an-adapter.ts': `export { serve } from '@storeport/node'`,
    'packages/redis/src/ledger-that-imports-the-pipeline.ts': `export { createIntegration } from '@storeport/core'`,
    'packages/host/src/package-that-imports-an-example.ts': `export { server } from '@storeport/example-express'`,
    'packages/core/src/contract/contract-that-imports-the-retries.ts': `export type { Neighbour } from '../retries/neighbour.ts'`,
    'packages/core/src/retries/retries-that-import-the-pipeline.ts': `export { neighbour } from '../pipeline/neighbour.ts'`,
    'testing/src/shared-code-that-imports-a-store.ts': `export { createMemoryStore } from '@storeport/store-memory'`,
    'packages/core/test/core-test-that-imports-a-store.ts': `export { stores } from '@storeport/testing/stores/stores'`,
    'test/test-that-imports-an-example.ts': `export { server } from '../examples/express/server.ts'`,
  },
}

/** Similar code that every rule accepts. */
const accepted: Probes = {
  'packages/core/test/deep/relative-import-inside-a-package.ts': `export { neighbour } from '../../src/neighbour.ts'`,
  'packages/core/src/type-assertion-with-a-reason.ts': `// oxlint-disable-next-line typescript/consistent-type-assertions -- external data has no type\nexport const parse = (text: string) => JSON.parse(text) as string`,
  'packages/core/src/retries/protocol.ts': `export const count = ({ doneAt }: { readonly doneAt: number }) => doneAt`,
  'packages/redis/src/ledger-that-stores-a-click-unchanged.ts': `export const store = (stored: { readonly v: number }) => [JSON.stringify(stored), stored.v, 'doneAt']`,
  'packages/core/test/test-that-reads-a-stored-click.ts': `export const end = (stored: { readonly windowEnd: number }) => stored.windowEnd`,
  'packages/conformance/src/kit-that-imports-the-endpoint-table.ts': `export { endpoints } from '@storeport/core'`,
  'packages/core/src/pipeline/core-layer-that-imports-a-lower-layer.ts': `export { neighbour } from '../contract/neighbour.ts'`,
}

/** Files that the probes import. */
const imported: Readonly<Record<string, string>> = {
  'packages/core/src/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/contract/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/pipeline/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/retries/neighbour.ts': 'export type Neighbour = number',
  'examples/express/server.ts': 'export const server = 1',
}

let found: readonly { readonly filename: string; readonly code: string }[] = []
/** Lints the probes in a folder with the layout, the lint rules and the packages of this repository. */
beforeAll(async () => {
  const scratch = await makeFolder('lint')
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'scripts/lint']) {
    cpSync(file, join(scratch, file), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(scratch, 'node_modules'))
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }\n')
  const files = [...Object.values(rejected), accepted].flatMap((probes) => Object.entries(probes))
  for (const [file, code] of [...Object.entries(imported), ...files]) {
    const path = join(scratch, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${code}\n`)
    const workspace = /^(?:packages|examples)\/[^/]+/.exec(file)?.[0]
    if (workspace !== undefined) writeFileSync(join(scratch, workspace, 'package.json'), '{ "type": "module" }\n')
  }
  const { stdout, stderr } = spawnSync(resolve('node_modules/.bin/oxlint'), ['--format', 'json'], {
    cwd: scratch,
    encoding: 'utf8',
  })
  if (!stdout.startsWith('{')) throw new Error(`oxlint: ${stdout}${stderr}`)
  found = JSON.parse(stdout).diagnostics
})

function rulesBrokenBy(file: string): readonly string[] {
  return found.filter(({ filename }) => filename === file).map(({ code }) => code)
}

describe.each(Object.entries(rejected))('%s rejects', (rule, probes) => {
  it.each(Object.keys(probes))('%s', (file) => {
    // A test that imports an example also breaks the rule against imports from outside its package.
    const rules = rulesBrokenBy(file).filter((each) => rule !== restricted || each === restricted)
    expect(rules).toEqual([rule])
  })
})

it.each(Object.keys(accepted))('every rule accepts %s', (file) => {
  expect(rulesBrokenBy(file)).toEqual([])
})
