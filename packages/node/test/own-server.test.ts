import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { rejectInvalidRequest, rejectConnect, toNodeListener } from '../src/index.ts'
import { refusedRequests } from './rejected-requests.ts'
import { integrationOf, listening, parsedAnswer, rawClient, startFor } from './support.ts'

const { integration } = integrationOf({ runCustomAction: async () => {} })

describe('an HTTP server of the merchant', () => {
  /** Starts the server from the README. */
  async function ownServer() {
    const server = createServer(toNodeListener(integration))
    server.on('clientError', rejectInvalidRequest)
    server.on('connect', rejectConnect)
    return startFor(server)
  }

  /** Requests that Node's parser accepts and only `serve` rejects. */
  const checkedByServe = [
    'chunks in another coding',
    'chunks in HTTP/1.0',
    'no Host',
    'two Hosts',
    'HTTP/0.9',
    'HTTP/2.0 as text',
  ]

  test.each(refusedRequests.filter(([what]) => !checkedByServe.includes(what)))(
    'rejects %s',
    async (_what, bytes, status, code) => {
      const client = rawClient(await ownServer())
      client.socket.write(bytes, 'latin1')
      const answer = parsedAnswer(await client.until(/\}\}$/))
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: { code } })
    },
  )

  test('responds without the envelope if the server has no error listeners', async () => {
    const { port } = await listening(toNodeListener(integration))
    expect(await rawClient(port, 'nonsense\r\n\r\n').ended()).toBe(
      'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n',
    )
    expect(await rawClient(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n').ended()).toBe('')
    expect(await rawClient(port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n').ended()).not.toContain('success')
  })
})
