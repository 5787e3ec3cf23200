import { must, should } from '../../engine/requirement.ts'

/** Adding a product to the subscription, or to the next order. */
export const requirements = {
  'ADD-1': must(
    "The product is added to the customer's order, in the quantity asked for.",
    'adding',
    'The quantity is ignored, or the add is accepted before it is stored.',
  ),
  'ADD-2': should(
    'A recurring add of a product that the subscription has raises the quantity of its item.',
    'adding',
    'A second line is made, or the quantity is set in place of raised.',
  ),
  'ADD-3': must(
    'With the flag the product is added to the next billing cycle only.',
    'adding',
    'The flag is ignored, so the product comes with every order.',
  ),
  'ADD-4': should(
    'A one-time add is a line of its own, with an id of its own.',
    'adding',
    'The one-time quantity is added to the recurring item, and nobody can tell them apart again.',
  ),
  'ADD-5': should(
    'A one-time line is gone after its order.',
    'adding',
    'One-time lines are not taken off the subscription when their order is made.',
  ),
  'ADD-6': should(
    'A customer without an active subscription gets a one-off order at once, which can be undone.',
    'adding',
    'A customer without a subscription is refused, or gets a subscription.',
  ),
  'ADD-7': should(
    'A one-time add of a customer without an active subscription is 404 `subscription_not_found`.',
    'adding',
    'A next cycle is made up for a customer who has none.',
  ),
  'ADD-8': should(
    'An unknown product is 404 `product_not_found`.',
    'adding',
    'The product is stored without being looked up.',
  ),
  'ADD-9': should(
    'A product that is sold out is 400 `product_unavailable`.',
    'adding',
    'The stock is not looked at before the add is accepted.',
  ),
  'ADD-10': should(
    'A percentage code lowers the next order by that share of what was added.',
    'discounts',
    'The share is taken of the whole order, of one unit, or not at all; or it comes off every order.',
  ),
  'ADD-11': should(
    'A fixed code lowers the next order by its amount once, whatever the quantity.',
    'discounts',
    'The amount is taken off for each unit.',
  ),
  'ADD-12': should(
    'With a code the item keeps its price: the discount stands in `order_discount_total`.',
    'discounts',
    'The price of the item is lowered as well, so the discount is seen twice.',
  ),
  'ADD-13': should(
    'An unknown, expired or used-up code is 400 `invalid_discount_code` and nothing changes.',
    'discounts',
    'A code that is not valid is ignored, and the product added without it.',
  ),
} as const
