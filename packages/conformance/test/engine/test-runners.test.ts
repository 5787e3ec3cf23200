import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createMemoryStore } from '@storeport/store-memory'
import { afterAll, describe, expect, it } from 'vitest'
import { behavesLikeStorePort } from '../../src/vitest.ts'
import { startShop } from '../shop.ts'

await behavesLikeStorePort(
  'a shop with custom names and a test store',
  {
    start: async () => {
      const names = { vendor: 'acme-mail', basePath: '/api/mail' }
      return { ...(await startShop({ ...names, testStore: createMemoryStore() })), names }
    },
    fresh: true,
    only: ['authentication', 'routing', 'responses', 'testMode', 'ROUTE-1'],
  },
  { describe, it, afterAll },
)

it('runs with a test runner that passes no context, such as Jest', async () => {
  const runs: (() => Promise<void>)[] = []
  await behavesLikeStorePort(
    'a shop',
    { start: () => startShop(), only: ['routing.rejects-dots', 'getDiscount.returns-a-discount'] },
    { describe: (_name, register) => register(), it: (_name, run) => runs.push(run) },
  )
  expect(runs).toHaveLength(3)
  for (const run of runs) {
    // If a test function had a parameter, Jest would pass a callback.
    expect(run).toHaveLength(0)
    await run()
  }
})

it('runs under node:test with passed, failed and skipped checks', async () => {
  const { VITEST: _left, NODE_OPTIONS: _options, ...env } = process.env
  const file = fileURLToPath(new URL('under-node-test.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', '--test', '--test-reporter=tap', file], { env })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(output).toMatch(/ok \d+ - getDiscount\.returns-a-percentage: /)
  expect(output).toMatch(/routing\.rejects-dots: .* # SKIP cannot be tested here: raw-path/)
  expect(output).toMatch(/not ok \d+ - authentication\.accepts-a-rotated-key: /)
  expect(output).toContain('AUTH-12: expected status 200')
  expect(output).toMatch(/^# fail 1$/m)
  expect(output).toMatch(/^# skipped 1$/m)
  expect(code).toBe(1)
})
