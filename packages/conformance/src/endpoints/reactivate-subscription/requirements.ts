import { must, should } from '../../engine/requirement.ts'

/** Making a cancelled subscription active again. */
export const requirements = {
  'REACTIVATE-1': must(
    'The cancelled subscription is active again and leaves the list.',
    'reactivating',
    'The subscription is copied in place of made active, or the list is cached.',
  ),
  'REACTIVATE-2': should(
    'It is billed tomorrow, with the items and quantities that it had.',
    'reactivating',
    'The old date is kept, or the items are made anew with one unit each.',
  ),
  'REACTIVATE-3': should(
    'An unknown subscription, or one of another customer, is 404 `subscription_not_found`.',
    'reactivating',
    'The subscription is found by its id alone, whoever it belongs to.',
  ),
  'REACTIVATE-4': should(
    'An active subscription is 400 `subscription_not_cancelled`.',
    'reactivating',
    'An active subscription is answered as a success, or made active twice.',
  ),
  'REACTIVATE-5': should(
    'A subscription that was cancelled too long ago is 400 `subscription_not_eligible` and not listed.',
    'reactivating',
    'Age is looked at in the list and not in the call, or not at all.',
  ),
  'REACTIVATE-6': should(
    'A percentage code lowers the next order by that share of its items.',
    'discounts',
    'The code is not looked at in a reactivation.',
  ),
  'REACTIVATE-7': should(
    'An unknown or expired code is 400 `invalid_discount_code` and nothing changes.',
    'discounts',
    'A code that is not valid is ignored, and the subscription made active without it.',
  ),
  'REACTIVATE-8': should(
    'A fixed code lowers the next order by its amount once, whatever its items.',
    'discounts',
    'The amount is taken off each item, or fixed codes are known to addProduct alone.',
  ),
} as const
