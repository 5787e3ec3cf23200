import { should } from '../../engine/requirement.ts'

/** What may and may not change, and how often a click counts. */
export const state = {
  'CUSTOMER-1': should(
    'An unknown customer is 404 `customer_not_found`, before anything else about the ids.',
    'customers',
    'The ids are looked up before the customer is, or the customer is not looked up at all.',
  ),
  'CUSTOMER-2': should(
    "A customer's email never reaches another customer's data, whatever ids are named.",
    'customers',
    'Something is found by its id alone, or kept in a variable that all calls share.',
  ),
  'CUSTOMER-3': should(
    'An address is compared as a whole: no wildcard and no part of it finds a customer.',
    'customers',
    'The address goes into a LIKE or a search in place of an equality.',
  ),
  'STATE-1': should(
    'GET and HEAD never change anything.',
    'changes',
    'A read makes what it does not find, or counts, or renews a date.',
  ),
  'STATE-2': should(
    'A refused call changes nothing.',
    'changes',
    'Changes are stored before everything has been looked at, outside a transaction.',
  ),
  'STATE-3': should(
    'Calls of one customer that arrive together lose no change.',
    'changes',
    'Read, change and write are not one transaction: of two calls one overwrites the other.',
  ),
  'STATE-4': should(
    'Slow and broken-off requests do not hold up others.',
    'changes',
    'The server handles one request at a time, or gives up on slow bodies.',
  ),
  'RETRY-1': should(
    'The same call again within the window counts once and is answered as a success.',
    'retries',
    'Each repeat of a click counts: a late answer makes the caller send it again.',
  ),
  'RETRY-2': should(
    'The same call runs again when another change of that customer came between.',
    'retries',
    'Repeats are remembered by their content alone, so that add, undo, add counts once.',
  ),
  'RETRY-3': should(
    'A refusal is not remembered: the call runs again.',
    'retries',
    'Refusals are remembered like successes.',
  ),
  'RETRY-4': should(
    'The same call, sent while the first is running, shares its answer.',
    'retries',
    'A click is remembered when it is done, so two at the same time both count.',
  ),
  'RETRY-5': should(
    'With an `Idempotency-Key` the same call counts once, whatever came between.',
    'retries',
    '`Idempotency-Key` is not looked at.',
  ),
  'RETRY-6': should(
    'An `Idempotency-Key` that is used for another request is 422 `idempotency_key_reused`.',
    'retries',
    'The body is not compared with that of the first call.',
  ),
  'RETRY-7': should(
    'Two `Idempotency-Key`s make two calls, also when all else is the same.',
    'retries',
    'The content is compared before the key is looked at.',
  ),
  'RETRY-8': should(
    'An `Idempotency-Key` has 1–255 visible ASCII characters, quoted or bare, else 400 `invalid_request`.',
    'retries',
    'Any key is taken.',
  ),
  'RETRY-9': should('A refusal does not use an `Idempotency-Key` up.', 'retries', 'The answer is kept whatever it is.'),
  'RETRY-10': should(
    'An `Idempotency-Key` counts for one endpoint: at another one it is a new key.',
    'retries',
    'Keys are kept without the endpoint that they were sent to.',
  ),
  'RETRY-11': should(
    'The same call of another customer is another call.',
    'retries',
    'Calls are compared without the customer.',
  ),
} as const
