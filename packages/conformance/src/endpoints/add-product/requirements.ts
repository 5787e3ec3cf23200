import { must, should } from '../../engine/requirement.ts'

/** The upsell widget: list, add, undo. */
export const upsells = {
  'PRODUCTS-1': must(
    'The answer is `{products: [Product, …]}`, fields with their types.',
    'Endpoint 1',
    'The list stands in `data` itself, or a number is sent as a text.',
  ),
  'PRODUCTS-2': should(
    'A product has `id`, `title`, `price` and `images`.',
    'products',
    'A field is left out when it is empty, or has the name of your own platform.',
  ),
  'PRODUCTS-3': must(
    'Without an email all available products are listed.',
    'Endpoint 1, rule 1',
    'Without an email the list is empty, cut off, or in another order than the profile says.',
  ),
  'PRODUCTS-4': must(
    'With an email the products are personalised for that customer.',
    'Endpoint 1, rule 2',
    'The email is not looked at.',
  ),
  'PRODUCTS-5': must(
    'The format is the same with and without an email.',
    'Endpoint 1, rule 3',
    'Two code paths build the two lists.',
  ),
  'PRODUCTS-6': should(
    "A personal list holds the customer's recommendations in rank order.",
    'products',
    'The ranking is lost on the way through a database query.',
  ),
  'PRODUCTS-7': should(
    'Products among the recurring items of the current subscription are left out of a personal list; all owned is an empty list.',
    'products',
    'What the customer has already is not taken out, or one-time lines are.',
  ),
  'PRODUCTS-8': should(
    'An unknown customer, or one without recommendations, gets the general list.',
    'products',
    'An unknown customer is an error, or gets an empty list.',
  ),
  'PRODUCTS-9': should(
    'A product that is sold out is not listed.',
    'products',
    'Availability is not looked at in one of the two lists.',
  ),
  'ADD-1': must(
    "The product is added to the customer's order, in the quantity asked for.",
    'Endpoint 2',
    'The quantity is ignored, or the add is accepted before it is stored.',
  ),
  'ADD-2': should(
    'A recurring add of a product that the subscription has raises the quantity of its item.',
    'adding',
    'A second line is made, or the quantity is set in place of raised.',
  ),
  'ADD-3': must(
    'With the flag the product is added to the next billing cycle only.',
    'Endpoint 2',
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
  'UNDO-1': must(
    'A product that was added is removed again.',
    'Endpoint 3',
    'The undo answers before it has changed anything, or looks for the wrong id.',
  ),
  'UNDO-2': should(
    'Exactly the most recent open add is taken back: nothing that the customer already had.',
    'undoing',
    'The whole line is removed, also what the customer had before; or one unit in place of the quantity that was added.',
  ),
  'UNDO-3': should(
    'Nothing to take back (never added, already undone) is 404 `product_not_in_order`.',
    'undoing',
    'Nothing to take back is answered as a success, or takes something else.',
  ),
  'UNDO-4': should(
    'An undo follows its add, also when another subscription has become current since.',
    'undoing',
    'The undo looks for the add in whichever subscription is current now.',
  ),
  'UNDO-5': should(
    'An add that was shipped or swapped away cannot be taken back.',
    'undoing',
    'Adds are not closed when their order is made or their item swapped.',
  ),
} as const
