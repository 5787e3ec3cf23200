import { must, should } from '../../engine/requirement.ts'

/** What a discount code is worth. */
export const requirements = {
  'DISCOUNT-1': must(
    'The answer has `discount_type` and its amount, fields with their types.',
    'discounts',
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
