import type { EndpointName, Integration } from '@storeport/core'
import { fromBasePath, withSpaces } from './as-sent.ts'

/** What a Route Handler needs of Next's `NextRequest`. */
export interface RouteRequest extends Request {
  /** The address without the base path of Next's own. */
  readonly nextUrl: { readonly pathname: string; readonly search: string }
}

/**
 * Makes the Route Handlers of the App Router: of `app/integration/[[...path]]/route.ts`, or of one endpoint in any folder.
 *
 * The former throw TypeError when no folder of the route is called like the base path.
 */
export function toRouteHandlers(integration: Integration, endpoint?: EndpointName) {
  const fetch = endpoint === undefined ? integration.fetch : integration.handlers[endpoint]
  const handle = async (request: RouteRequest): Promise<Response> => {
    const { pathname, search } = request.nextUrl
    const path = endpoint === undefined ? fromBasePath(pathname, integration) : pathname
    return fetch(new Request(new URL(path + withSpaces(search), request.url), request))
  }
  // Next would answer methods that are left out by itself, without asking for the key.
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}
