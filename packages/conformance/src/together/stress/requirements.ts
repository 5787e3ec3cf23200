import { should } from '../../engine/requirement.ts'

/** What holds when many calls come at once. */
export const requirements = {
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
} as const
