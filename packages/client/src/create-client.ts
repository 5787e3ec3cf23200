import type { Client } from './client.ts'
import type { ClientOptions } from './client-options.ts'
import { clientWithTiming } from './client-with-timing.ts'
import { systemTiming } from './timing.ts'

/**
 * Makes a StorePort out of any server that implements the API; throws TypeError for options that cannot work.
 *
 * Its methods throw StoreError: what the server answered, or `store_timeout`, `store_unavailable` (cannot be reached)
 * and `upstream_error` (a lost connection, or an answer that the API does not allow).
 */
export function createClient(options: ClientOptions): Client {
  return clientWithTiming(options, systemTiming)
}
