import { endpoints } from './index.ts'
import type { EndpointName } from '../store-port.ts'

/** The names of all endpoints, in the order of the contract table. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints).filter(isEndpointName)

/** Whether a text names an endpoint. */
export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name)
}

/** Makes a record with one value for each endpoint. */
export function forEachEndpoint<Value>(make: (name: EndpointName) => Value): Record<EndpointName, Value> {
  const made = Object.fromEntries(endpointNames.map((name) => [name, make(name)]))
  if (hasEveryEndpoint(made)) return made
  throw new TypeError('the contract table changed while it was read')
}

function hasEveryEndpoint<Value>(record: Record<string, Value>): record is Record<EndpointName, Value> {
  return endpointNames.every((name) => Object.hasOwn(record, name))
}
