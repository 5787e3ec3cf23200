import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

interface Probe {
  readonly file: string
  readonly code: string
  /** The rule that refuses it; left out, the file is as it should be. */
  readonly rule?: string
}

const restricted = 'eslint(no-restricted-imports)'
const assertions = 'typescript(consistent-type-assertions)'
const clicks = 'storeport(only-protocol-reads-clicks)'
const sleep = 'const sleep = async (): Promise<void> => {}\n'

/** What each rule forbids, and similar code that it allows. */
const probes: Readonly<Record<string, Probe>> = {
  'a relative import that leaves a package': {
    file: 'packages/rules/src/leaves.ts',
    code: `export { neighbour } from '../../core/src/neighbour.ts'`,
    rule: 'storeport(no-import-out-of-package)',
  },
  'a relative import that leaves a package from its tests': {
    file: 'packages/rules/test/account/leaves.ts',
    code: `export const load = () => import('../../../core/src/neighbour.ts')`,
    rule: 'storeport(no-import-out-of-package)',
  },
  'a relative import inside a package': {
    file: 'packages/core/test/deep/stays.ts',
    code: `export { neighbour } from '../../src/neighbour.ts'`,
  },
  'a promise that nobody waits for': {
    file: 'packages/core/src/floats.ts',
    code: `${sleep}export function start(): void {\n  sleep()\n}`,
    rule: 'typescript(no-floating-promises)',
  },
  'a promise as a condition': {
    file: 'packages/core/src/asks.ts',
    code: `${sleep}export const isDone = () => (sleep() ? 1 : 2)`,
    rule: 'typescript(no-misused-promises)',
  },
  'a promise that is left alone on purpose': {
    file: 'packages/core/src/leaves-alone.ts',
    code: `${sleep}export function start(): void {\n  void sleep()\n}`,
  },
  'a cycle': {
    file: 'packages/core/src/cycle.ts',
    code: `export { other } from './other.ts'\nexport const one = 1`,
    rule: 'import(no-cycle)',
  },
  'a cycle of types': {
    file: 'packages/core/src/type-cycle.ts',
    code: `import type { Other } from './other-type.ts'\nexport interface One {\n  readonly other: Other\n}`,
    rule: 'import(no-cycle)',
  },
  any: {
    file: 'packages/core/src/any.ts',
    code: `export const parse = (text: string): any => JSON.parse(text)`,
    rule: 'typescript(no-explicit-any)',
  },
  '!': {
    file: 'packages/core/src/non-null.ts',
    code: `export const first = (list: readonly string[]) => list[0]!`,
    rule: 'typescript(no-non-null-assertion)',
  },
  as: {
    file: 'packages/core/src/as.ts',
    code: `export const parse = (text: string) => JSON.parse(text) as string`,
    rule: assertions,
  },
  'as, set aside without a reason': {
    file: 'packages/core/src/as-without-reason.ts',
    code: `// oxlint-disable-next-line typescript/consistent-type-assertions\nexport const parse = (text: string) => JSON.parse(text) as string`,
    rule: 'storeport(reason-for-disabling)',
  },
  'as, with a reason': {
    file: 'packages/core/src/as-with-reason.ts',
    code: `// oxlint-disable-next-line typescript/consistent-type-assertions -- what comes from outside has no type yet\nexport const parse = (text: string) => JSON.parse(text) as string`,
  },
  'as const': { file: 'packages/core/src/as-const.ts', code: `export const days = ['monday'] as const` },
  'a ledger that reads a field of a stored click': {
    file: 'packages/redis/src/reads-click.ts',
    code: `export const count = (stored: { readonly instances: readonly string[] }) => stored.instances.length`,
    rule: clicks,
  },
  'a ledger that reads a field of a stored click by its text': {
    file: 'packages/redis/src/reads-click-by-text.ts',
    code: `export const last = (stored: Readonly<Record<string, unknown>>) => stored['lastNumber']`,
    rule: clicks,
  },
  'a guard that destructures a stored click': {
    file: 'packages/core/src/retries/destructures.ts',
    code: `export const isOpen = ({ openAttempts: [first] }: { readonly openAttempts: readonly string[] }) => first !== undefined`,
    rule: clicks,
  },
  'a store that destructures a stored click in an assignment': {
    file: 'packages/store-sql/src/assigns.ts',
    code: `export function read(stored: { readonly isReported: boolean }): boolean {\n  let reported = false\n  ;({ isReported: reported } = stored)\n  return reported\n}`,
    rule: clicks,
  },
  'a store that looks for a field of a stored click': {
    file: 'packages/store-memory/src/looks.ts',
    code: `export const hasSucceeded = (stored: object) => 'succeeded' in stored`,
    rule: clicks,
  },
  'an example that reads a stored click': {
    file: 'examples/own-database/reads-click.ts',
    code: `export const isLeft = (lease: { readonly aliveAt?: number } | undefined) => lease?.aliveAt === undefined`,
    rule: clicks,
  },
  'the protocol that reads a stored click': {
    file: 'packages/core/src/retries/protocol.ts',
    code: `export const count = ({ instances }: { readonly instances: readonly string[] }) => instances.length`,
  },
  'a ledger that stores a click as it is, and an outcome of the same name': {
    file: 'packages/redis/src/stores-click.ts',
    code: `export const store = (stored: { readonly v: number }) => [JSON.stringify(stored), stored.v, 'succeeded']`,
  },
  'a test that reads a stored click': {
    file: 'packages/core/test/reads-click.ts',
    code: `export const count = (stored: { readonly instances: readonly string[] }) => stored.instances.length`,
  },
  'core that imports a package of ours': {
    file: 'packages/core/src/up.ts',
    code: `export { openSqlStore } from '@storeport/store-sql'`,
    rule: restricted,
  },
  'a store that imports an adapter': {
    file: 'packages/store-sql/src/up.ts',
    code: `export { toExpress } from '@storeport/express'`,
    rule: restricted,
  },
  'rules that import a store': {
    file: 'packages/rules/src/up.ts',
    code: `export { createMemoryStore } from '@storeport/store-memory'`,
    rule: restricted,
  },
  'an adapter that imports a store': {
    file: 'packages/express/src/up.ts',
    code: `export { createMemoryStore } from '@storeport/store-memory'`,
    rule: restricted,
  },
  'the kit that imports an adapter': {
    file: 'packages/conformance/src/up.ts',
    code: `export { serve } from '@storeport/node'`,
    rule: restricted,
  },
  'the client that imports the pipeline': {
    file: 'packages/client/src/up.ts',
    code: `export { createIntegration } from '@storeport/core'`,
    rule: restricted,
  },
  'the client that imports the table': {
    file: 'packages/client/src/table.ts',
    code: `export { endpoints } from '@storeport/core'`,
  },
  'a package that imports an example': {
    file: 'packages/host/src/example.ts',
    code: `export { server } from '@storeport/example-express'`,
    rule: restricted,
  },
  'a layer of the core that imports one above it': {
    file: 'packages/core/src/contract/up.ts',
    code: `export { neighbour } from '../pipeline/neighbour.ts'`,
    rule: restricted,
  },
  'a layer of the core that imports one below it': {
    file: 'packages/core/src/pipeline/down.ts',
    code: `export { neighbour } from '../contract/neighbour.ts'`,
  },
  'a test that imports an example': {
    file: 'test/example.ts',
    code: `export { server } from '../examples/express/server.ts'`,
    rule: restricted,
  },
}

/** What the probes import. */
const besides: Readonly<Record<string, string>> = {
  'packages/core/src/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/contract/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/pipeline/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/other.ts': `import { one } from './cycle.ts'\nexport const other = one`,
  'packages/core/src/other-type.ts': `import type { One } from './type-cycle.ts'\nexport interface Other {\n  readonly one?: One\n}`,
  'examples/express/server.ts': 'export const server = 1',
}

/** A folder laid out as this repository is, with its rules and its packages. */
let scratch = ''
let found: readonly { readonly filename: string; readonly code: string }[] = []
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'storeport-lint-'))
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'scripts/lint']) {
    cpSync(file, join(scratch, file), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(scratch, 'node_modules'))
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }\n')
  const files = Object.values(probes).map(({ file, code }): [string, string] => [file, code])
  for (const [file, code] of [...Object.entries(besides), ...files]) {
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
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it.each(Object.entries(probes))('%s', (_name, { file, rule }) => {
  const rules = found.filter(({ filename }) => filename === file).map(({ code }) => code)
  // A test that imports an example leaves its package as well.
  expect(rules.filter((each) => rule !== restricted || each === restricted)).toEqual(rule === undefined ? [] : [rule])
})
