import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Path and code of each file, by a description of the code. */
type Probes = Readonly<Record<string, readonly [file: string, code: string]>>

const restricted = 'eslint(no-restricted-imports)'
const sleep = 'const sleep = async (): Promise<void> => {}\n'

/** Code that each rule rejects. */
const rejected: Readonly<Record<string, Probes>> = {
  'storeport(no-import-out-of-package)': {
    'a relative import that leaves a package': [
      'packages/rules/src/leaves.ts',
      `export { neighbour } from '../../core/src/neighbour.ts'`,
    ],
    'a relative import that leaves a package from its tests': [
      'packages/rules/test/account/leaves.ts',
      `export const load = () => import('../../../core/src/neighbour.ts')`,
    ],
  },
  'typescript(no-floating-promises)': {
    'a promise without await': ['packages/core/src/floats.ts', `${sleep}export function start(): void {\n  sleep()\n}`],
  },
  'typescript(no-misused-promises)': {
    'a promise as a condition': ['packages/core/src/asks.ts', `${sleep}export const isDone = () => (sleep() ? 1 : 2)`],
  },
  'import(no-cycle)': {
    'an import cycle': ['packages/core/src/cycle.ts', `export { other } from './other.ts'\nexport const one = 1`],
    'an import cycle of types': [
      'packages/core/src/type-cycle.ts',
      `import type { Other } from './other-type.ts'\nexport interface One {\n  readonly other: Other\n}`,
    ],
  },
  'typescript(no-explicit-any)': {
    'an explicit any': ['packages/core/src/any.ts', `export const parse = (text: string): any => JSON.parse(text)`],
  },
  'typescript(no-non-null-assertion)': {
    'a non-null assertion': [
      'packages/core/src/non-null.ts',
      `export const first = (list: readonly string[]) => list[0]!`,
    ],
  },
  'typescript(consistent-type-assertions)': {
    'a type assertion': [
      'packages/core/src/as.ts',
      `export const parse = (text: string) => JSON.parse(text) as string`,
    ],
  },
  'storeport(reason-for-disabling)': {
    'a disabled rule without a reason': [
      'packages/core/src/as-without-reason.ts',
      `// oxlint-disable-next-line typescript/consistent-type-assertions\nexport const parse = (text: string) => JSON.parse(text) as string`,
    ],
  },
  'storeport(only-protocol-reads-clicks)': {
    'a ledger that reads a field of a stored click': [
      'packages/redis/src/reads-click.ts',
      `export const count = (stored: { readonly instances: readonly string[] }) => stored.instances.length`,
    ],
    'a ledger that reads a field of a stored click with a string key': [
      'packages/redis/src/reads-click-by-text.ts',
      `export const last = (stored: Readonly<Record<string, unknown>>) => stored['lastNumber']`,
    ],
    'a guard that destructures a stored click': [
      'packages/core/src/retries/destructures.ts',
      `export const isOpen = ({ openAttempts: [first] }: { readonly openAttempts: readonly string[] }) => first !== undefined`,
    ],
    'a store that destructures a stored click in an assignment': [
      'packages/store-sql/src/assigns.ts',
      `export function read(stored: { readonly isReported: boolean }): boolean {\n  let reported = false\n  ;({ isReported: reported } = stored)\n  return reported\n}`,
    ],
    'a store that tests for a field of a stored click': [
      'packages/store-memory/src/looks.ts',
      `export const hasSucceeded = (stored: object) => 'succeeded' in stored`,
    ],
    'an example that reads a stored click': [
      'examples/own-database/reads-click.ts',
      `export const isLeft = (lease: { readonly aliveAt?: number } | undefined) => lease?.aliveAt === undefined`,
    ],
  },
  'storeport(plain-english)': {
    'a hard word in a comment': [
      'packages/core/src/comment.ts',
      `/** Whatever stands in the header. */\nexport const key = 1`,
    ],
    'a hard word in a test name': ['packages/core/test/name.test.ts', `it('refuses a late click', () => {})`],
    'a hard word in the name of a test table': [
      'packages/core/test/table.test.ts',
      `it.each([1])('%i comes last', () => {})`,
    ],
    'a hard word in a message': ['packages/core/src/message.ts', `export const message = 'nobody has this key'`],
    'a hard word in a message that begins like SQL': [
      'packages/core/src/begins.ts',
      `export const message = 'With a key, nobody is rejected'`,
    ],
    'a hard word in a message with a value': [
      'packages/core/src/template.ts',
      'export const message = (key: string) => `${key} is refused again`',
    ],
    'a hard word in page text': [
      'packages/playground/page/text.tsx',
      `export const text = <p>Nobody has clicked this yet</p>`,
    ],
  },
  [restricted]: {
    'a core module that imports another package': [
      'packages/core/src/up.ts',
      `export { openSqlStore } from '@storeport/store-sql'`,
    ],
    'a store that imports an adapter': [
      'packages/store-sql/src/up.ts',
      `export { toExpress } from '@storeport/express'`,
    ],
    'rules that import a store': [
      'packages/rules/src/up.ts',
      `export { createMemoryStore } from '@storeport/store-memory'`,
    ],
    'an adapter that imports a store': [
      'packages/express/src/up.ts',
      `export { createMemoryStore } from '@storeport/store-memory'`,
    ],
    'the kit that imports an adapter': ['packages/conformance/src/up.ts', `export { serve } from '@storeport/node'`],
    'the client that imports the pipeline': [
      'packages/client/src/up.ts',
      `export { createIntegration } from '@storeport/core'`,
    ],
    'a package that imports an example': [
      'packages/host/src/example.ts',
      `export { server } from '@storeport/example-express'`,
    ],
    'a core layer that imports a higher layer': [
      'packages/core/src/contract/up.ts',
      `export { neighbour } from '../pipeline/neighbour.ts'`,
    ],
    'a test that imports an example': ['test/example.ts', `export { server } from '../examples/express/server.ts'`],
  },
}

/** Similar code that every rule accepts. */
const accepted: Probes = {
  'a relative import inside a package': [
    'packages/core/test/deep/stays.ts',
    `export { neighbour } from '../../src/neighbour.ts'`,
  ],
  'a promise that is ignored explicitly': [
    'packages/core/src/leaves-alone.ts',
    `${sleep}export function start(): void {\n  void sleep()\n}`,
  ],
  'a type assertion with a reason': [
    'packages/core/src/as-with-reason.ts',
    `// oxlint-disable-next-line typescript/consistent-type-assertions -- external data has no type\nexport const parse = (text: string) => JSON.parse(text) as string`,
  ],
  'a const assertion': ['packages/core/src/as-const.ts', `export const days = ['monday'] as const`],
  'the protocol that reads a stored click': [
    'packages/core/src/retries/protocol.ts',
    `export const count = ({ instances }: { readonly instances: readonly string[] }) => instances.length`,
  ],
  'a ledger that stores a click unchanged and an outcome with the name of a field': [
    'packages/redis/src/stores-click.ts',
    `export const store = (stored: { readonly v: number }) => [JSON.stringify(stored), stored.v, 'succeeded']`,
  ],
  'a test that reads a stored click': [
    'packages/core/test/reads-click.ts',
    `export const count = (stored: { readonly instances: readonly string[] }) => stored.instances.length`,
  ],
  'hard words in code, SQL and data': [
    'packages/core/src/no-prose.ts',
    `/** Calls \`refuse()\`. */\nexport const statement = 'select nobody from at_once where alone is null'\nexport const code = 'refused'`,
  ],
  'a string in a test that is not the test name': [
    'packages/core/test/data.test.ts',
    `it('rejects a long comment', () => expect('nobody comes at once').toBe(''))`,
  ],
  'the client that imports the endpoint table': [
    'packages/client/src/table.ts',
    `export { endpoints } from '@storeport/core'`,
  ],
  'a core layer that imports a lower layer': [
    'packages/core/src/pipeline/down.ts',
    `export { neighbour } from '../contract/neighbour.ts'`,
  ],
}

/** Files that the probes import. */
const imported: Readonly<Record<string, string>> = {
  'packages/core/src/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/contract/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/pipeline/neighbour.ts': 'export const neighbour = 1',
  'packages/core/src/other.ts': `import { one } from './cycle.ts'\nexport const other = one`,
  'packages/core/src/other-type.ts': `import type { One } from './type-cycle.ts'\nexport interface Other {\n  readonly one?: One\n}`,
  'examples/express/server.ts': 'export const server = 1',
}

/** A temporary folder with the layout, the lint rules and the packages of this repository. */
let scratch = ''
let found: readonly { readonly filename: string; readonly code: string }[] = []
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'storeport-lint-'))
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'scripts/lint', 'scripts/english']) {
    cpSync(file, join(scratch, file), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(scratch, 'node_modules'))
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }\n')
  const files = [...Object.values(rejected), accepted].flatMap((probes) => Object.values(probes))
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
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function rulesBrokenBy(file: string): readonly string[] {
  return found.filter(({ filename }) => filename === file).map(({ code }) => code)
}

describe.each(Object.entries(rejected))('%s rejects', (rule, probes) => {
  it.each(Object.entries(probes))('%s', (_name, [file]) => {
    // A test that imports an example also breaks the rule against imports from outside its package.
    const rules = rulesBrokenBy(file).filter((each) => rule !== restricted || each === restricted)
    expect(rules).toEqual([rule])
  })
})

it.each(Object.entries(accepted))('every rule accepts %s', (_name, [file]) => {
  expect(rulesBrokenBy(file)).toEqual([])
})
