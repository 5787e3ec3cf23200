import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { runLine, userEnvironment } from '@storeport/testing/run-as-user'
import { installTool } from '@storeport/testing/install-tool'
import { makeFolder } from '@storeport/testing/make-folder'
import { beforeAll, describe, expect, it } from 'vitest'

const example = 'examples/own-tests'
const runners = ['vitest', 'jest', 'node'] as const

/** A folder with a copy of the example. Its packages are the built packages of this repository. */
let home = ''
beforeAll(async () => {
  home = await makeFolder('own-tests')
  await symlink(resolve('node_modules'), join(home, 'node_modules'), 'junction')
}, 300_000)

/** Copies the example and changes the store of the copy. */
async function copyExample(name: string, change: (store: string) => string): Promise<string> {
  const folder = join(home, name)
  await mkdir(folder)
  const files = ['package.json', 'store.ts', 'kit.test.ts', 'shop.test.ts']
  for (const file of files) await cp(join(example, file), join(folder, file))
  const find = await installTool('jest')
  const modules = dirname(dirname(find.resolve('jest/package.json')))
  await mkdir(join(folder, 'node_modules'))
  for (const part of ['jest', 'babel-jest', '@babel'])
    await symlink(join(modules, part), join(folder, 'node_modules', part))
  await writeFile(join(folder, 'store.ts'), change(await readFile(join(example, 'store.ts'), 'utf8')))
  return folder
}

/** Runs the example's script for a test runner, without its `pre` script, which installs Jest. */
async function runTests(runner: (typeof runners)[number], folder: string, words = '') {
  const env = userEnvironment({ NODE_ENV: 'test', NO_COLOR: '1' })
  const { code, text } = await runLine(folder, `npm run test:${runner} --ignore-scripts${words}`, env)
  return { code, output: text }
}

/** Summary of a successful run. Jest reports skipped checks as passed. */
const summaries = {
  vitest: /Tests +1\d\d passed \| \d+ skipped \(\d+\)/,
  jest: /Tests: +\d{3} passed, \d{3} total/,
  node: /^# pass 1\d\d\n# fail 0$/m,
}

describe('example own-tests', { timeout: 180_000 }, () => {
  it.each(runners)('passes with %s', async (runner) => {
    const folder = await copyExample(`passes-${runner}`, (store) => store)
    const { code, output } = await runTests(runner, folder)
    expect(output).toMatch(summaries[runner])
    expect(code).toBe(0)
  })

  it.each(runners)('fails with %s if the store accepts every date', async (runner) => {
    const line = /^.*throw new StoreError\('invalid_date'\)\n/m
    const folder = await copyExample(`fails-${runner}`, (store) => {
      expect(store).toMatch(line)
      return store.replace(line, '')
    })
    // Runs the checks of one endpoint, because the test above runs all checks. node:test accepts no name after the file.
    const { code, output } = await runTests(runner, folder, runner === 'node' ? '' : ' -- -t delaySubscription')
    expect(output).toContain('delaySubscription.rejects-invalid-requests')
    expect(output).toContain('DELAY-2: expected')
    expect(code).not.toBe(0)
  })
})
