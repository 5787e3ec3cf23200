import { once } from 'node:events'
import { type Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { HostileRequest } from './hostile-values.ts'

/** API key of the shops in these tests. */
export const key = 'a-key-of-the-tests-0001'

/** Sends a request over one of the agent's connections. The request's headers replace the API key and content type. */
export async function sendRequest(
  agent: Agent,
  { port }: { readonly port: number | string },
  { method = 'POST', path, headers = {}, body }: HostileRequest,
) {
  const framing = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const known = { 'x-integration-api-key': key, 'content-type': 'application/json' }
  const sent = request({ port, agent, method, path, headers: { ...known, ...framing, ...headers } }).end(body)
  const [response] = await once(sent, 'response')
  const status: number = response.statusCode
  return { status, headers: response.headers, text: await text(response) }
}
