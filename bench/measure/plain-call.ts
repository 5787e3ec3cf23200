import type { Call } from '@storeport/core'
import { type TimedEndpoint, timedEndpoints } from './requests.ts'

/** A call to a timed endpoint, as an adapter would make it. */
export function plainCall(endpoint: TimedEndpoint, turn: number): Call {
  const { method, path, headers, body = '' } = timedEndpoints[endpoint](turn)
  const [pathname = '', query = ''] = path.split('?')
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    method,
    path: pathname,
    query,
    header: (name) => sent.get(name),
    text: () => Promise.resolve(body),
    hasLeft: () => false,
  }
}
