import { type Endpoint, endpointNames, endpoints, forEachEndpoint } from '@storeport/core'
import { buildRequest } from './build-request.ts'
import type { CallOptions, Client, ClientOptions } from './client.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { readSettings } from './settings.ts'

/**
 * Makes a StorePort out of any server that implements the API; throws TypeError for options that cannot work.
 *
 * Its methods throw StoreError: what the server answered, or `store_timeout`, `store_unavailable` (cannot be reached)
 * and `upstream_error` (a lost connection, or an answer that the API does not allow).
 */
export function createClient(options: ClientOptions): Client {
  const settings = readSettings(options)

  const methods = forEachEndpoint((name) => {
    const endpoint: Endpoint = endpoints[name]
    return async (input: object, call: CallOptions = {}): Promise<unknown> => {
      const request = buildRequest(endpoint, input, call, settings)
      return readAnswer(name, await send(request, settings, call.signal), settings.apiKey)
    }
  })

  const client = { ...methods, honoursIdempotencyKey: settings.honoursIdempotencyKey }
  if (!isClient(client)) throw new TypeError('The contract table has no row for some endpoint.')
  return client
}

/** The contract table ties the schemas of a row to the types of its method: a method for each row makes a client. */
function isClient(client: object): client is Client {
  return endpointNames.every((name) => name in client)
}
