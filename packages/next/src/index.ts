import type { EndpointName, Integration } from '@storeport/core'
import { fromBasePath } from './as-sent.ts'

/** Properties of `NextRequest` that a Route Handler uses. */
export interface RouteRequest extends Request {
  /** URL without the base path of Next. */
  readonly nextUrl: { readonly pathname: string; readonly search: string }
}

/**
 * Creates App Router Route Handlers, for `app/integration/[[...path]]/route.ts` or for one endpoint in any folder.
 *
 * Without `endpoint`, the handlers throw TypeError if no folder of the route has the name of the base path.
 */
export function toRouteHandlers(integration: Integration, endpoint?: EndpointName) {
  const fetch = endpoint === undefined ? integration.fetch : integration.handlers[endpoint]
  const handle = async (request: RouteRequest): Promise<Response> => {
    const { pathname, search } = request.nextUrl
    const path = endpoint === undefined ? fromBasePath(pathname, integration) : pathname
    return fetch(new Request(new URL(path + search, request.url), request))
  }
  // Next itself would respond to methods that are not exported, without checking the key.
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}
