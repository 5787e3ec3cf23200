import { must, should } from '../../engine/requirement.ts'

/** Moving the next billing date. */
export const requirements = {
  'DELAY-1': must(
    'The next billing moves to `new_date`.',
    'delaying',
    'The date is stored on another subscription or another field than the one that is read.',
  ),
  'DELAY-2': should(
    'A date in the past is 400 `invalid_date`.',
    'delaying',
    'The date is stored without being compared with today.',
  ),
  'DELAY-3': should(
    'A date before the current one is 400 `invalid_date`.',
    'delaying',
    'The date is compared with today only, so that "delay" can bring an order forward.',
  ),
  'DELAY-4': should(
    'The current date is a success that changes nothing.',
    'delaying',
    'The same date is refused, so that the retry of a delay that went through is shown as an error.',
  ),
  'DELAY-5': should(
    'Today is 400 `invalid_date`; tomorrow is the earliest date.',
    'delaying',
    "Today is allowed, though today's orders may be on their way.",
  ),
  'DELAY-6': should('There is no latest date.', 'delaying', 'A latest date was made up.'),
  'DELAY-7': should(
    'Only the date changes: items and amounts stay.',
    'delaying',
    'The subscription is made anew in place of being changed.',
  ),
  'DELAY-8': should(
    'A customer without an active subscription is 404 `subscription_not_found`.',
    'delaying',
    'A customer without a subscription is answered as a success.',
  ),
} as const
