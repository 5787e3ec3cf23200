import { must, should } from '../../engine/requirement.ts'

/** How a request is read: path, method, body, query. */
export const requests = {
  'ROUTE-1': must(
    'Each offered endpoint answers at its path with its method.',
    'Endpoints',
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
  'BODY-1': must(
    'A POST with `Content-Type: application/json`, with any parameters, is read.',
    'What the service does',
    'The content type is compared as a whole, without regard to parameters and letter case.',
  ),
  'BODY-2': should(
    'A POST with another content type, or none, is 415 `unsupported_media_type`.',
    'bodies',
    'The body is parsed as JSON whatever its content type says, or as a form.',
  ),
  'BODY-3': should(
    'A body of more than 64 KiB, counted in bytes, is 413 `payload_too_large`.',
    'bodies',
    'The body has no limit, or another one, or only the announced length is looked at.',
  ),
  'BODY-4': should(
    'A body of exactly 64 KiB is read.',
    'bodies',
    'The limit of the body parser or of a proxy is smaller.',
  ),
  'BODY-5': should(
    'A body that is empty or is no JSON is 400 `invalid_request`.',
    'bodies',
    'The exception of the JSON parser is not caught, or an empty body counts as an empty object.',
  ),
  'BODY-6': should(
    'A body that is JSON but no object is 400 `invalid_request`.',
    'bodies',
    'The body is used as an object without asking whether it is one.',
  ),
  'BODY-7': should(
    'A leading byte-order mark is ignored.',
    'bodies',
    'The JSON parser does not know byte-order marks.',
  ),
  'BODY-8': should(
    'Of a field that is sent twice the last one counts.',
    'bodies',
    'The JSON parser keeps the first of two, or refuses them.',
  ),
  'BODY-9': should(
    'Fields that the contract does not name are ignored, however deep they are.',
    'bodies',
    'The schema is strict, or the whole body is walked recursively.',
  ),
  'BODY-10': should(
    'A field called `__proto__` or `constructor` has no effect.',
    'bodies',
    'The body is merged into an object without regard to `__proto__`.',
  ),
  'BODY-11': should(
    'The fields of a POST are read from its body, never from its query.',
    'bodies',
    'Query and body are merged into one set of parameters.',
  ),
  'BODY-12': should(
    'A request is looked at in this order: key, path, method, content type, size, JSON, fields, shop.',
    'bodies',
    'Fields are looked at before the type or the size of the body.',
  ),
  'QUERY-1': should(
    'A query name of the endpoint that is sent twice is 400, also with the same value.',
    'queries',
    'The framework makes a list of a repeated name, or takes one of the two silently.',
  ),
  'QUERY-2': should(
    'Query names that the contract does not name are ignored, also when repeated.',
    'queries',
    'The query schema is strict.',
  ),
  'QUERY-3': should(
    'An empty `email` in listProducts counts as absent.',
    'queries',
    'An empty text is taken for an address, which is then refused or not found.',
  ),
  'QUERY-4': should(
    'getDiscount takes the code as `discount_code`.',
    'queries',
    'The code is read from a parameter of another name.',
  ),
  'QUERY-5': should('getDiscount takes the code as `code` too.', 'queries', 'Only one of the two names is read.'),
  'QUERY-6': should(
    '`discount_code` and `code` that differ are 400 `invalid_request`.',
    'queries',
    'One of the two is taken silently.',
  ),
  'QUERY-7': should(
    'A query that is not valid percent-encoding is no fault of the server.',
    'queries',
    'The exception of `decodeURIComponent` is not caught.',
  ),
  'HTTP-1': should(
    'A request that the HTTP parser refuses is answered in the envelope too.',
    'error codes',
    'What the HTTP parser refuses never reaches the application.',
  ),
} as const
