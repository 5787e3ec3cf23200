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
