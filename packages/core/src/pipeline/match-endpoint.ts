import { endpointNames } from '../endpoints/endpoint-names.ts'
import { endpoints } from '../endpoints/index.ts'
import type { EndpointName } from '../store-port.ts'

/** Finds the endpoint of a path, compared as it was sent: no other letter case, no trailing slash, no decoding. */
export type MatchEndpoint = (path: string) => EndpointName | undefined

/** Makes the finder of endpoints below a base path. */
export function createMatcher(basePath: string): MatchEndpoint {
  const names = new Map<string, EndpointName>(endpointNames.map((name) => [basePath + endpoints[name].path, name]))
  return (path) => names.get(path)
}

/** The methods that an endpoint answers, as the `Allow` header lists them. */
export function allowedMethods(name: EndpointName): 'GET, HEAD' | 'POST' {
  return endpoints[name].method === 'GET' ? 'GET, HEAD' : 'POST'
}

/** Says which method an endpoint answers. */
export function explainMethod(name: EndpointName): string {
  return `Send ${allowedMethods(name).replace(',', ' or')}: this endpoint answers nothing else.`
}

/** Whether an endpoint answers a method. */
export function allowsMethod(name: EndpointName, method: string): boolean {
  return endpoints[name].method === 'GET' ? method === 'GET' || method === 'HEAD' : method === 'POST'
}
