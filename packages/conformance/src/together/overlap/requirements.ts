import { should } from '../../engine/requirement.ts'

/** What holds of calls with keys that arrive together. */
export const requirements = {
  'RETRY-14': should(
    'Of calls that arrive together with one `Idempotency-Key` one takes effect; the others share its answer or are told to wait.',
    'retries',
    'Whether a key was used is read first and written later, so that several calls find it unused.',
  ),
} as const
