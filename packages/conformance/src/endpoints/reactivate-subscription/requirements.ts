import { must, should } from '../../engine/requirement.ts'

/** The come-back list, custom actions and discounts. */
export const reactivate = {
  'CANCELLED-1': must(
    'The answer is `{subscriptions: [CancelledSubscription, …]}`, fields with their types.',
    'Endpoint 8',
    'The list stands in `data` itself, or the items are called something other than `products`.',
  ),
  'CANCELLED-2': must(
    "The list holds the customer's cancelled subscriptions that can be reactivated.",
    'Endpoint 8',
    'Active or closed subscriptions are listed too, or all but the last are left out.',
  ),
  'CANCELLED-3': should(
    'The most recently cancelled one comes first.',
    'reactivating',
    'The order is that of the database.',
  ),
  'CANCELLED-4': should(
    'A customer without any gets an empty list.',
    'reactivating',
    'No subscriptions are taken for an unknown customer.',
  ),
  'REACTIVATE-1': must(
    'The cancelled subscription is active again and leaves the list.',
    'Endpoint 9',
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
  'ACTION-1': must(
    'A known action is run and answered `{"success": true}`.',
    'Endpoint 10',
    'The action is not registered under the id of the profile.',
  ),
  'ACTION-2': should(
    'An unknown action is 404 `action_not_found`, whatever it is called.',
    'custom actions',
    'Unknown actions are answered as a success, or looked up in a plain object with names of its own.',
  ),
  'DISCOUNT-1': must(
    'The answer has `discount_type` and its amount, fields with their types.',
    'Discount',
    'The type has another name, or the amount is a text.',
  ),
  'DISCOUNT-2': should(
    'A percentage is `{discount_type: "percentage", discount_percentage}`, 15 meaning 15 %, without an amount.',
    'discounts',
    'The percentage is sent as a fraction, or an amount of 0 stands beside it.',
  ),
  'DISCOUNT-3': should(
    'A fixed amount is `{discount_type: "fixed_amount", discount_amount}`, without a percentage.',
    'discounts',
    'The amount is sent in minor units, or a percentage of 0 stands beside it.',
  ),
  'DISCOUNT-4': should(
    'An unknown or expired code is 404 `discount_not_found`.',
    'discounts',
    'An unknown code is answered 200 with nothing in it, or the expiry is not looked at.',
  ),
  'DISCOUNT-5': should(
    'The letter case of a code, and space around it, do not matter.',
    'discounts',
    'The code is compared letter by letter.',
  ),
} as const
