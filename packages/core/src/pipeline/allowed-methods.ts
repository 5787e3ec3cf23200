import { endpoints } from '../endpoints/index.ts'
import type { EndpointName } from '../store-port.ts'

/** The methods that an endpoint answers, as the `Allow` header lists them. */
export function allowedMethods(name: EndpointName): 'GET, HEAD' | 'POST' {
  return endpoints[name].method === 'GET' ? 'GET, HEAD' : 'POST'
}

/** Says which method an endpoint answers. */
export function explainMethod(name: EndpointName): string {
  return `Send ${allowedMethods(name).replace(',', ' or')}: this endpoint answers nothing else.`
}
