import { should } from '../../engine/requirement.ts'

/** How often a click of any endpoint counts, whatever happens around it. */
export const requirements = {
  'RETRY-12': should(
    'A repeat counts once also when another customer changed something in between.',
    'retries',
    'Only the last call of the whole shop is remembered.',
  ),
  'RETRY-13': should(
    'An `Idempotency-Key` on a GET has no effect.',
    'retries',
    'A middleware remembers every answer under its key, reads included.',
  ),
} as const
