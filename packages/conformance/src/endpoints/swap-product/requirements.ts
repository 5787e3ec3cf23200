import { must, should } from '../../engine/requirement.ts'

/** The customer portal: subscription, send now, delay, swap. */
export const portal = {
  'SUBSCRIPTION-1': must(
    'The answer is a current subscription, fields with their types.',
    'Current subscription',
    'A required field is missing, an id is a number, a price is a text, or the date has a time.',
  ),
  'SUBSCRIPTION-2': must(
    'An unknown customer, or one without a subscription, is 404 with the error body.',
    'Errors 3',
    'The answer is 200 with `null` or an empty object, or a 404 page of the framework.',
  ),
  'SUBSCRIPTION-3': must(
    '`customer_tax_rate` is a decimal: 0.08 means 8 %.',
    'Current subscription',
    'The rate is sent as a percentage.',
  ),
  'SUBSCRIPTION-4': must(
    'Item ids are unique.',
    'SubscriptionItem',
    'The id of the product is sent as the id of the item, and a product can be there twice.',
  ),
  'SUBSCRIPTION-5': should(
    'Of several active subscriptions the one that is billed next is returned.',
    'current subscription',
    'The first row of the database is taken, whatever its date.',
  ),
  'SEND-1': must(
    'The next order is processed and shipped now.',
    'Endpoint 5',
    'The call is accepted and nothing is done, or nothing that can be seen.',
  ),
  'SEND-2': should(
    'The next billing date becomes today and the interval.',
    'sending now',
    'The interval is counted from the old date, or a month is taken for 30 days.',
  ),
  'SEND-3': should(
    'A second one of the customer on the same day, for whichever subscription, is 400 `order_already_processing`.',
    'sending now',
    'Nothing keeps a second order of the same day from being made.',
  ),
  'SEND-4': should(
    'A repeated click ships one order, never two.',
    'sending now',
    'Each click makes an order: a retry or a double click ships two boxes.',
  ),
  'SEND-5': should(
    'A customer without an active subscription is 404 `subscription_not_found`.',
    'sending now',
    'A customer without a subscription is answered as a success.',
  ),
  'DELAY-1': must(
    'The next billing moves to `new_date`.',
    'Endpoint 6',
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
  'SWAP-1': must(
    'The named item is replaced by the new product.',
    'Endpoint 7',
    'The new product is added and the old one kept, or the item is found by product and not by its id.',
  ),
  'SWAP-2': should(
    'The item takes the new product at its price; quantity and place are kept.',
    'swapping',
    'Quantity, price or place of the old item are carried over wrongly.',
  ),
  'SWAP-3': should(
    'An item that the current subscription does not have is 404 `item_not_found`.',
    'swapping',
    'An unknown item is answered as a success, or the product is added.',
  ),
  'SWAP-4': should(
    'An unknown product is 404 `product_not_found`, one that is sold out 400 `product_unavailable`.',
    'swapping',
    'The new product is stored without being looked up, or its stock is not looked at.',
  ),
  'SWAP-5': should(
    'A swap into a product that is already an item of the same kind joins the two under that id and place.',
    'swapping',
    'Two lines of one product are left.',
  ),
  'SWAP-6': should(
    'A swap into the same product changes nothing.',
    'swapping',
    'A swap into itself joins the item with itself, or is an error.',
  ),
  'SWAP-7': should(
    'A one-time line stays one-time when it is swapped.',
    'swapping',
    'The swapped line becomes a recurring one.',
  ),
  'SWAP-8': should(
    'A percentage code lowers the next order by that share of the swapped line.',
    'discounts',
    'The code is not looked at in a swap.',
  ),
  'SWAP-9': should(
    'An unknown or expired code is 400 `invalid_discount_code` and nothing changes.',
    'discounts',
    'A code that is not valid is ignored, and the swap made without it.',
  ),
  'SWAP-10': should(
    'A customer without an active subscription is 404 `subscription_not_found`.',
    'swapping',
    'A customer without a subscription is answered as a success.',
  ),
} as const
