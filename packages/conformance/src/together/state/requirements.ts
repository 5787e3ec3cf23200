import { should } from '../../engine/requirement.ts'

/** What may change, and what may not. */
export const requirements = {
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
} as const
