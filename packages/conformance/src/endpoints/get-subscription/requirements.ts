import { must, should } from '../../engine/requirement.ts'

/** The current subscription of a customer. */
export const requirements = {
  'SUBSCRIPTION-1': must(
    'The answer is a current subscription, fields with their types.',
    'current subscription',
    'A required field is missing, an id is a number, a price is a text, or the date has a time.',
  ),
  'SUBSCRIPTION-2': must(
    'An unknown customer, or one without a subscription, is 404 with the error body.',
    'current subscription',
    'The answer is 200 with `null` or an empty object, or a 404 page of the framework.',
  ),
  'SUBSCRIPTION-3': must(
    '`customer_tax_rate` is a decimal: 0.08 means 8 %.',
    'current subscription',
    'The rate is sent as a percentage.',
  ),
  'SUBSCRIPTION-4': must(
    'Item ids are unique.',
    'current subscription',
    'A product has two lines, one of them one-time, and both are sent with the id of the product.',
  ),
  'SUBSCRIPTION-5': should(
    'Of several active subscriptions the one that is billed next is returned.',
    'current subscription',
    'The first row of the database is taken, whatever its date.',
  ),
  'SUBSCRIPTION-6': should(
    '`next_billing_date` is never in the past.',
    'current subscription',
    'Nothing moves the date on when its day has come: the order of that day was not made, or the date is that of the last one.',
  ),
} as const
