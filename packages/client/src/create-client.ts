import { type Endpoint, endpointNames, endpoints, forEachEndpoint } from '@storeport/core'
import { buildRequest } from './build-request.ts'
import type { CallOptions, Client, ClientOptions } from './client.ts'
import { readData } from './read-data.ts'
import { send } from './send.ts'
import { readSettings } from './settings.ts'

/**
 * Creates a StorePort whose methods send requests to a server with the API; throws TypeError for an invalid option.
 *
 * Each method throws StoreError with the code of the response, or `store_timeout`, `store_unavailable` (unreachable)
 * or `upstream_error` (lost connection or invalid response).
 */
export function createClient(options: ClientOptions): Client {
  const settings = readSettings(options)

  const methods = forEachEndpoint((name) => {
    const endpoint: Endpoint = endpoints[name]
    return async (input: object, call: CallOptions = {}): Promise<unknown> => {
      const request = buildRequest(endpoint, input, call, settings)
      return readData(name, await send(request, settings, call.signal), settings.apiKey)
    }
  })

  const client = { ...methods, honoursIdempotencyKey: settings.honoursIdempotencyKey }
  if (!isClient(client)) throw new TypeError('The contract table is incomplete: an endpoint has no row.')
  return client
}

/** Checks only the method names, because `endpoints` defines the types of each method. */
function isClient(client: object): client is Client {
  return endpointNames.every((name) => name in client)
}
