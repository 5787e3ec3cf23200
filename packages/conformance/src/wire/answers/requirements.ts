import { must, should } from '../../engine/requirement.ts'

/** What the body of every answer looks like. */
export const requirements = {
  'JSON-1': must(
    'A successful answer is a JSON object with `success: true` and, where data is returned, an object `data`.',
    'answers',
    'The data is returned bare, or the envelope has another name such as `ok` or `result`.',
  ),
  'JSON-2': must(
    'An action endpoint answers `{"success": true}` and nothing else.',
    'answers',
    'The action returns the changed object beside `success`.',
  ),
  'JSON-3': must(
    'Every answer, also an error, has a JSON body and a JSON content type.',
    'answers',
    'An error of the framework or a proxy is a web page, or the body is sent without `application/json`.',
  ),
  'JSON-4': should(
    'An answer holds no field that the contract does not name.',
    'answers',
    'The whole row of the database is serialised.',
  ),
  'JSON-5': should(
    'Values stay within bounds: texts and ids are not empty, amounts are not negative, images are http(s) addresses without credentials, dates exist.',
    'answers',
    'Empty titles, relative image addresses, negative amounts or dates with a time come straight from the database.',
  ),
  'MONEY-1': should(
    'An amount is a JSON number in major units with at most the decimals of the currency: 2 of USD, none of JPY.',
    'money',
    'Amounts are computed with floating-point numbers, or sent in minor units or as text.',
  ),
  'MONEY-2': should('The price of an item is the price of one unit.', 'money', 'The price of the whole line is sent.'),
} as const
