import { createIntegration, isErrorCode, namesFor } from '@storeport/core'
import { serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { expect, it } from 'vitest'
import { exampleOf } from '../../src/cli/explain.ts'
import { openConnection } from '../../src/http/plain-http.ts'
import { isRequirementId, type PlainRequest, requirements, sendByHttp } from '../../src/index.ts'

const keys = ['explain-key-0123456789', 'explain-key-9876543210'] as const
const ids = Object.keys(requirements).filter(isRequirementId)

/** Sends a request of an example. Returns the status and the body. */
async function sendExample(url: string, { signal: _, ...request }: PlainRequest) {
  const withKeys = (text: string) => text.replace('<key>', keys[0]).replace('<second key>', keys[1])
  const headers = request.headers.map(([name, value]) => [name, withKeys(value)] as const)
  const body = request.body instanceof Uint8Array ? Buffer.from(request.body) : undefined
  if (request.version === undefined) return sendByHttp(url)({ ...request, headers, body })
  const connection = await openConnection(new URL(url))
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  connection.write(`${request.method} ${request.target} HTTP/${request.version}\r\n${lines}\r\n${body ?? ''}`)
  const response = await connection.read(request.method)
  return response?.status === 100 ? connection.read(request.method) : response
}

it.each(ids.filter((id) => /^\d/.test(exampleOf(id, namesFor())[0])))(
  'prints an example of %s that a correct shop responds to as printed',
  async (id) => {
    const { runCustomAction, ...others } = createMemoryStore()
    const store = id === 'ROUTE-3' ? others : { ...others, runCustomAction }
    const { url, close } = await serve(createIntegration({ store, apiKeys: keys }), { port: 0, closeTimeoutMs: 0 })
    try {
      const [expected, ...requests] = exampleOf(id, namesFor())
      let response
      for (const request of requests) {
        // The first request of STATE-4 is incomplete, so it has no response.
        if (id === 'STATE-4' && request.method === 'POST') continue
        response = await sendExample(url, request)
      }
      const code = /"code":"(\w+)"/.exec(expected)?.[1]
      expect(response?.status).toBe(Number(expected.slice(0, 3)))
      if (code !== undefined) expect(JSON.parse(response?.body ?? '')).toMatchObject({ error: { code } })
    } finally {
      await close()
    }
  },
)

it('prints an error code that the requirement names', () => {
  for (const id of ids) {
    const codes = [...(requirements[id]?.sentence ?? '').matchAll(/`(\w+)`/g)].flatMap(([, word]) => word ?? '')
    const named = codes.filter(isErrorCode)
    const [response] = exampleOf(id, namesFor())
    // A concurrent request can return 409, but a response after the first request cannot.
    if (named.length > 0 && id !== 'RETRY-14')
      expect(
        named.some((code) => response.includes(code)),
        id,
      ).toBe(true)
  }
})
