import { type Endpoint, endpointNames, endpoints, type EndpointName } from '@storeport/core'
import { buildRequest } from './build-request.ts'
import type { CallOptions, Client } from './client.ts'
import type { ClientOptions } from './client-options.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { sendWithRetries } from './send-with-retries.ts'
import { settingsFrom } from './settings.ts'
import type { Timing } from './timing.ts'

/** A client by a given clock: one method for each row of the contract table. */
export function clientWithTiming(options: ClientOptions, timing: Timing): Client {
  const settings = settingsFrom(options)
  const methods: Partial<Record<EndpointName, (input: object, call?: CallOptions) => Promise<unknown>>> = {}

  for (const name of endpointNames) {
    const endpoint: Endpoint = endpoints[name]
    methods[name] = async (input, call = {}) => {
      const request = buildRequest(endpoint, input, call, settings)
      const limits = { ...settings, timing, signal: call.signal }
      const retries = endpoint.method === 'GET' ? settings.retries : 0
      const answer = await sendWithRetries(() => send(request, limits), { ...limits, retries })
      return readAnswer(name, answer, settings.apiKey)
    }
  }

  const client = { ...methods, honoursIdempotencyKey: settings.honoursIdempotencyKey }
  if (!isClient(client)) throw new TypeError('The contract table has no row for some endpoint.')
  return client
}

/** The contract table ties the schemas of a row to the types of its method: a method for each row makes a client. */
function isClient(client: object): client is Client {
  return endpointNames.every((name) => name in client)
}
