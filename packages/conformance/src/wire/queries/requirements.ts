import { should } from '../../engine/requirement.ts'

/** How a query is read. */
export const requirements = {
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
} as const
