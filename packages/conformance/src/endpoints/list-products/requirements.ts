import { must, should } from '../../engine/requirement.ts'

/** The list of products, general and personal. */
export const requirements = {
  'PRODUCTS-1': must(
    'The answer is `{products: [Product, …]}`, fields with their types.',
    'products',
    'The list stands in `data` itself, or a number is sent as a text.',
  ),
  'PRODUCTS-2': should(
    'A product has `id`, `title`, `price` and `images`.',
    'products',
    'A field is left out when it is empty, or has the name of your own platform.',
  ),
  'PRODUCTS-3': must(
    'Without an email all available products are listed.',
    'products',
    'Without an email the list is empty, cut off, or in another order than the profile says.',
  ),
  'PRODUCTS-4': must(
    'With an email the products are personalised for that customer.',
    'products',
    'The email is not looked at.',
  ),
  'PRODUCTS-5': must(
    'The format is the same with and without an email.',
    'products',
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
} as const
