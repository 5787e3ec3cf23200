import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { RawRequest } from './requests.ts'

const connections = 16

/** A closed-loop load generator with 16 connections to one server. */
export type Load = ReturnType<typeof openLoad>

/** Creates a closed loop: each of 16 keep-alive connections sends its next request only after the previous response. */
export function openLoad(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, noDelay: true })
  let turn = 0
  const exchange = async ({ method, url: path, headers, body }: RawRequest) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } }
    const [response] = await once(request(options).end(body), 'response')
    const received = await text(response)
    if (response.statusCode !== 200) throw new Error(`unexpected response: ${response.statusCode} ${received}`)
  }
  return {
    /** Sends `count` requests and resolves after the last response; rejects if a status is not 200. */
    send: async (count: number, requestOf: (turn: number) => RawRequest) => {
      const end = turn + count
      const exchangeAll = async () => {
        while (turn < end) await exchange(requestOf(turn++))
      }
      await Promise.all(Array.from({ length: connections }, exchangeAll))
    },
    close: () => agent.destroy(),
  }
}
