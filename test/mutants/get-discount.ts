import { getDiscount } from '@storeport/rules'
import { answer, at, of, replaceText } from './messages.ts'
import type { Mutant } from './mutant.ts'

const none = { discount_code: 'no code at all' }

/** Returning what a discount code is worth. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'an unknown code is 200 with nothing',
    caughtBy: 'getDiscount.refuses-an-unknown-code',
    answer: at(
      '/get-discount',
      of(404, () => answer(200, { success: true, data: {} })),
    ),
  },
  {
    defect: 'a code matches by its start',
    caughtBy: 'getDiscount.refuses-an-unknown-code',
    rules: {
      getDiscount: (account, input, shop) =>
        getDiscount(account, { discount_code: input.discount_code === 'TEST1' ? 'TEST10' : input.discount_code }, shop),
    },
  },
  {
    defect: 'the expiry of a code is not checked',
    caughtBy: 'getDiscount.refuses-an-expired-code',
    rules: { getDiscount: (account, input, shop) => getDiscount(account, input, { ...shop, today: '2000-01-01' }) },
  },
  {
    defect: 'a code is found in upper case alone',
    caughtBy: 'getDiscount.ignores-the-letter-case',
    rules: {
      getDiscount: (account, input, shop) =>
        getDiscount(account, /[a-z]/.test(input.discount_code) ? none : input, shop),
    },
  },
  {
    defect: 'space around a code is not cut off',
    caughtBy: 'getDiscount.ignores-the-letter-case',
    request: (sent) => ({ ...sent, query: sent.query.replace(/=[^&]*%20[^&]*/, '=UNKNOWN') }),
  },
  {
    defect: 'of the white space around a code only spaces are cut off',
    caughtBy: 'getDiscount.ignores-the-letter-case',
    request: (sent) => ({ ...sent, query: sent.query.replace(/=[^&]*%0A[^&]*/, '=UNKNOWN') }),
  },
  {
    defect: 'a percentage is a fraction',
    caughtBy: 'getDiscount.tells-a-percentage',
    answer: replaceText('"discount_percentage":10', '"discount_percentage":0.1'),
  },
  {
    defect: 'an amount of 0 is sent with a percentage',
    caughtBy: 'getDiscount.tells-a-percentage',
    answer: replaceText('"discount_percentage":10', '"discount_percentage":10,"discount_amount":0'),
  },
  {
    defect: 'a fixed amount is in minor units',
    caughtBy: 'getDiscount.tells-a-fixed-amount',
    answer: replaceText('"discount_amount":5', '"discount_amount":500'),
  },
  {
    defect: 'the type of a fixed amount has another name',
    caughtBy: 'getDiscount.answers-with-a-discount',
    answer: replaceText('fixed_amount', 'fixed'),
  },
  {
    defect: 'amounts of discounts are texts',
    caughtBy: 'getDiscount.answers-with-a-discount',
    answer: replaceText('"discount_amount":5', '"discount_amount":"5.00"'),
  },
  {
    defect: '`success` is a text',
    caughtBy: 'getDiscount.answers-with-a-discount',
    answer: replaceText('"success":true', '"success":"true"'),
  },
]
