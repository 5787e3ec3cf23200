import { endpointNames, forEachEndpoint } from '../endpoints/endpoint-names.ts'
import { endpoints } from '../endpoints/index.ts'
import { minorUnitDigits } from '../schemas/currency.ts'
import type { EndpointName } from '../store-port.ts'
import { type CheckOutput, createOutputChecks } from './check-output.ts'
import { createInputReaders, type ReadInput } from './read-input.ts'
import type { Settings } from './settings.ts'

/** An endpoint, with what is made of its row of the contract table once, so that a call looks up one thing. */
export interface Route {
  readonly name: EndpointName
  /** Whether it changes nothing: it answers GET and HEAD, the others POST. */
  readonly isQuery: boolean
  readonly readInput: ReadInput
  readonly checkOutput: CheckOutput
}

/** The routes of an integration. */
export interface Routes {
  /** By the endpoint's name. */
  readonly byName: Readonly<Record<EndpointName, Route>>
  /** By path, compared as it was sent: no other letter case, no trailing slash, no decoding. */
  readonly byPath: ReadonlyMap<string, Route>
}

/** Makes the routes below the base path. */
export function createRoutes({ basePath, maxQuantity, aliases, currency }: Settings): Routes {
  const readInput = createInputReaders(maxQuantity, aliases)
  const checkOutput = createOutputChecks(minorUnitDigits(currency))
  const byName = forEachEndpoint((name): Route => {
    const isQuery = endpoints[name].method === 'GET'
    return { name, isQuery, readInput: readInput[name], checkOutput: checkOutput[name] }
  })
  const byPath = new Map(endpointNames.map((name) => [basePath + endpoints[name].path, byName[name]]))
  return { byName, byPath }
}
