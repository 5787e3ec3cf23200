import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningProgram, startExample } from '@storeport/testing/start-program'
import { expectSeedServed } from './recipes.ts'

describe.each(['express', 'fastify', 'hono', 'next', 'worker'])('example %s, started by npm start', (name) => {
  let example: RunningProgram
  beforeAll(async () => {
    example = await startExample(name)
  }, 180_000)
  afterAll(() => example.stop())

  it('serves the seed data', () => expectSeedServed(example.url))

  it.skipIf(['next', 'worker'].includes(name))('serves its own routes next to the API', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' }
    expect(await (await fetch(`${example.url}/echo`, init)).json()).toEqual({ a: 1 })
  })
})

// own-database.slow.test.ts and own-shop.slow.test.ts limit the lines of their examples.
it.each(readdirSync('examples').filter((name) => !/^own-(?:database|shop)$/.test(name)))(
  'limits the example %s to fewer than 60 lines',
  (name) => {
    const files = readdirSync(`examples/${name}`, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /(?<!\.test)\.tsx?$/.test(file) && !/^(?:\.next|node_modules|next-env|next\.config)/.test(file),
    )
    const lines = files.flatMap((file) => readFileSync(`examples/${name}/${file}`, 'utf8').trimEnd().split('\n'))
    expect(lines.length).toBeLessThan(60)
  },
)
