import type { EndpointName } from '../store-port.ts'
import { endpoints } from './index.ts'

/** The names of all endpoints, in the order of the contract table. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints).filter(isEndpointName)

/** Whether a text names an endpoint. */
export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name)
}

/** Makes a record with one value for each endpoint. */
export function forEachEndpoint<Value>(make: (name: EndpointName) => Value): Record<EndpointName, Value> {
  const made = Object.fromEntries(endpointNames.map((name) => [name, make(name)]))
  // oxlint-disable-next-line typescript/consistent-type-assertions -- Object.fromEntries forgets the names, which are those of the table
  return made as Record<EndpointName, Value>
}
