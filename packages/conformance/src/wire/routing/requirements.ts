import { must, should } from '../../engine/requirement.ts'

/** How paths and methods are matched. */
export const requirements = {
  'ROUTE-1': must(
    'Each offered endpoint answers at its path with its method.',
    'paths and methods',
    'The base path is another, or the method of the route is.',
  ),
  'ROUTE-2': should(
    'An unknown path below the base path is 404 `endpoint_not_found`.',
    'paths and methods',
    "The framework's own 404 page answers unknown paths.",
  ),
  'ROUTE-3': should(
    'An endpoint that the shop does not offer is 404 `endpoint_not_available`.',
    'paths and methods',
    "The framework's own 404 answers for the endpoint that is left out.",
  ),
  'ROUTE-4': should(
    'A known path with another method is 405 `method_not_allowed` with an `Allow` header that names the right ones.',
    'paths and methods',
    'The framework answers 404 for another method, or leaves out `Allow`.',
  ),
  'ROUTE-5': should(
    'HEAD works where GET does: same status and headers, no body.',
    'paths and methods',
    'Only GET is registered, or the answer to HEAD carries a body.',
  ),
  'ROUTE-6': should(
    'A trailing slash, a doubled slash, dots, encoded letters or another letter case do not match a path.',
    'paths and methods',
    'The router is lenient about slashes, letter case or encoding, so that rules in front of it can be passed by.',
  ),
  'ROUTE-7': should(
    'OPTIONS is 405 like any other method.',
    'paths and methods',
    'A CORS middleware or the framework answers OPTIONS by itself.',
  ),
  'ROUTE-8': should(
    'Headers and queries that override the method are ignored.',
    'paths and methods',
    'A method-override middleware is on.',
  ),
  'ROUTE-9': should(
    'A path with a malformed percent sign is 404 `endpoint_not_found` like any other unknown path.',
    'paths and methods',
    'The router decodes the path, and the exception of the decoder is answered by the framework.',
  ),
} as const
