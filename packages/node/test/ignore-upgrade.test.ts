import { describe, expect, test } from 'vitest'
import { connected, integrationOf, keyLine, portal, postAction, rawClient, serving, statusesIn } from './support.ts'

const upgrade = 'Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n'
const body = '{"email":"a@example.com","action_id":"ä"}'
const length = Buffer.byteLength(body)
const lastRead = `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}Connection: close\r\n\r\n`

/** Creates an integration; `run` contains the ids of the actions that ran. */
function actingShop() {
  const run: string[] = []
  const { integration } = integrationOf(
    { getSubscription: async () => null, runCustomAction: async ({ action_id }) => void run.push(action_id) },
    { retries: false },
  )
  return { integration, run }
}

describe('a request with an Upgrade header', () => {
  test.each([
    ['GET', `GET ${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}${upgrade}\r\n`, 0],
    ['POST', `${postAction}${upgrade}Content-Length: ${length}\r\n\r\n${body}`, 1],
    [
      'POST in chunks',
      `${postAction}${upgrade}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      1,
    ],
  ])(
    'is handled as an ordinary request, and later requests are handled after it (%s)',
    async (_method, request, actions) => {
      const { integration, run } = actingShop()
      const { client } = await connected(integration, request.repeat(7) + lastRead)
      expect(statusesIn(await client.ended())).toHaveLength(8)
      // The response to the eighth request closes the connection, because a flood would delay other callers.
      const flood = await connected(integration, request.repeat(1000))
      expect(statusesIn(await flood.client.ended())).toHaveLength(8)
      expect(run).toEqual(Array.from({ length: 15 * actions }, () => 'ä'))
    },
  )

  test('can arrive in two pieces, split at any position', async () => {
    const { integration, run } = actingShop()
    const { port } = await serving(integration)
    const bytes = Buffer.from(`${postAction}${upgrade}Content-Length: ${length}\r\n\r\n${body}${lastRead}`)
    for (let at = 1; at < bytes.length; at += 7) {
      const client = rawClient(port)
      client.socket.setNoDelay(true)
      await new Promise((resolve) => client.socket.write(bytes.subarray(0, at), resolve))
      client.socket.write(bytes.subarray(at))
      expect(statusesIn(await client.ended())).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
    }
    expect(new Set(run)).toEqual(new Set(['ä']))
  })
})
