import { getDiscount } from '@storeport/rules'
import { at, of, answerWith } from './messages.ts'
import { listMutants } from './list-mutants.ts'

const none = { discount_code: 'no code at all' }

export const mutants = listMutants({
  rules: {
    getDiscount: {
      'the expiry of a code is not checked': (account, input, shop) =>
        getDiscount(account, input, { ...shop, today: '2000-01-01' }),
    },
  },
  inputs: {
    getDiscount: {
      'a code matches by its start': (input) => ({
        discount_code: input.discount_code === 'TEST1' ? 'TEST10' : input.discount_code,
      }),
      'a code is found in upper case alone': (input) => (/[a-z]/.test(input.discount_code) ? none : input),
    },
  },
  queries: {
    'space around a code is not cut off': (query) => query.replace(/=[^&]*%20[^&]*/, '=UNKNOWN'),
    'of the white space around a code only spaces are cut off': (query) => query.replace(/=[^&]*%0A[^&]*/, '=UNKNOWN'),
  },
  bodies: {
    'a percentage is a fraction': ['"discount_percentage":10', '"discount_percentage":0.1'],
    'an amount of 0 is sent with a percentage': [
      '"discount_percentage":10',
      '"discount_percentage":10,"discount_amount":0',
    ],
    'a fixed amount is in minor units': ['"discount_amount":5', '"discount_amount":500'],
    'the type of a fixed amount has another name': ['fixed_amount', 'fixed'],
    'amounts of discounts are texts': ['"discount_amount":5', '"discount_amount":"5.00"'],
    '`success` is a text': ['"success":true', '"success":"true"'],
  },
  answer: {
    'an unknown code is 200 with nothing': at('/get-discount', of(404, answerWith(200, { success: true, data: {} }))),
  },
})
