import { should } from '../../engine/requirement.ts'

/** How often a click counts. */
export const requirements = {
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
