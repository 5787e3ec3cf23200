import { createIntegration, endpointNames, endpoints } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { listening } from '@storeport/testing/listen'
import { describe, expect, it } from 'vitest'
import { type CheckResult, sendByHttp, sendTo } from '../../src/index.ts'
import { apiKey, createShop, reportOf, runOn, secondApiKey } from '../shop.ts'

const actionPaths = endpointNames.flatMap((name) => (endpoints[name].method === 'POST' ? [endpoints[name].path] : []))
const notSent = 'a read-only run sends only GET, HEAD and OPTIONS requests'

/** Runs all read-only checks over HTTP and records every request line on the wire, including malformed requests. */
async function runRecorded(): Promise<{ lines: readonly string[]; results: readonly CheckResult[] }> {
  const integration = createIntegration({ store: createMemoryStore(), apiKeys: [apiKey, secondApiKey] })
  const lines: string[] = []
  const { url, server, stop } = await listening(toNodeListener(integration))
  server.on('connection', (socket) => {
    socket.on('data', (bytes: Buffer) => lines.push(...(bytes.toString('latin1').match(/^[A-Z]{3,} \S+ .*$/gm) ?? [])))
  })
  const options = { secondApiKey, unsupported: ['http-parser'], mode: 'read-only' } as const
  const { results } = await runOn({ send: sendByHttp(url), ...options })
  await stop()
  return { lines, results }
}

describe('a read-only run', async () => {
  const { lines, results } = await runRecorded()
  const resultOf = (id: string) => results.find(({ check }) => check.id === id)

  it('sends only GET, HEAD and OPTIONS requests, none to an action endpoint or with a key in the URL', () => {
    expect(lines.length).toBeGreaterThan(500)
    const isWrong = (line: string) =>
      !/^(?:GET|HEAD|OPTIONS) /.test(line) || [...actionPaths, apiKey].some((part) => line.includes(part))
    expect(lines.filter(isWrong)).toEqual([])
  })

  it('reports no failures for a correct shop, and skips the checks that require other methods', () => {
    expect(results.flatMap(({ failure }) => failure?.message ?? [])).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(75)
    for (const id of ['bodies.accept-json-with-parameters', 'http.opens-no-tunnel']) {
      expect(resultOf(id)).toMatchObject({ outcome: 'skipped', reason: notSent, cause: { kind: 'read-only' } })
    }
  })
})

it('omits widgets and buttons from a report that cannot detect action endpoints', async () => {
  const report = await reportOf({ mode: 'read-only' })
  expect(report.parts).toEqual([])
  expect(report.sentences).toContain(
    'A read-only run tests only GET endpoints. It does not detect action endpoints (POST) or their buttons.',
  )
  const untested = report.musts.untested.find(({ id }) => id === 'BODY-1')
  expect(untested).toMatchObject({ reason: notSent, remedy: 'a run without --read-only, on a test shop' })
})

it('rejects a shop without GET endpoints in a read-only run', async () => {
  const { runCustomAction } = createMemoryStore()
  const send = sendTo(createShop({ store: { runCustomAction } }))
  await expect(runOn({ send, mode: 'read-only' })).rejects.toThrow(
    'a read-only run found no GET endpoints below /integration',
  )
})
