import { Discount } from '@storeport/core'
import { type Check, type CheckContext, define, readingAShop, tests } from '../engine/check.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import { dataOf } from '../http/reply.ts'

const { must, should } = about('discounts')

export const requirements: Requirements = {
  'DISCOUNT-1': must(
    'The data has `discount_type` and the matching percentage or amount, and each field has the correct type.',
    'The `discount_type` field has another name, or the amount is a string.',
  ),
  'DISCOUNT-2': should(
    'A percentage discount is `{discount_type: "percentage", discount_percentage}` without an amount. The value 15 means 15%.',
    'The percentage is sent as a fraction, or together with an amount of 0.',
  ),
  'DISCOUNT-3': should(
    'A fixed-amount discount is `{discount_type: "fixed_amount", discount_amount}` without a percentage.',
    'The amount is sent in minor units, or together with a percentage of 0.',
  ),
  'DISCOUNT-4': should(
    'A request for an unknown or expired code returns 404 `discount_not_found`.',
    'The response for an unknown code is 200 with empty data, or the expiry is not checked.',
  ),
  'DISCOUNT-5': should('Codes are case-insensitive, and surrounding whitespace is ignored.', 'Codes match exactly.'),
}

export const checks: readonly Check[] = define({ ...readingAShop, needs: ['getDiscount'] }, requirements, {
  'getDiscount.returns-a-discount': {
    requirements: ['DISCOUNT-1', 'JSON-1', 'JSON-5'],
    layer: 'wire',
    async run(t) {
      const { percentage, fixed } = t.profile.discounts
      const first = t.need(percentage ?? fixed, 'discounts.percentage')
      for (const { code } of new Set([first, fixed ?? first]))
        t.data(await t.call('getDiscount', { discount_code: code }), Discount, 'DISCOUNT-1')
    },
  },
  'getDiscount.returns-a-percentage': {
    title:
      'A request for a percentage code returns the percentage and no amount, also in another letter case or with surrounding whitespace.',
    requirements: ['DISCOUNT-2', 'DISCOUNT-5'],
    async run(t) {
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      await expectData(t, code, discount, 'DISCOUNT-2')
      const mixed = code.slice(0, 1).toLowerCase() + code.slice(1).toUpperCase()
      for (const written of [code.toLowerCase(), code.toUpperCase(), mixed, ` ${code}`, `${code} `, `\t${code}\r\n`])
        await expectData(t, written, discount, 'DISCOUNT-5')
    },
  },
  'getDiscount.returns-a-fixed-amount': tests(['DISCOUNT-3'], async (t) => {
    const { code, discount } = t.need(t.profile.discounts.fixed, 'discounts.fixed')
    await expectData(t, code, discount, 'DISCOUNT-3')
  }),
  'getDiscount.rejects-an-unknown-code': tests(['DISCOUNT-4'], async (t) => {
    const { unknown, percentage, expired } = t.profile.discounts
    const partsOf = (code: string) => [code.slice(0, -1), `${code}0`, `${code.slice(0, -1)}%`, `${code.slice(0, 1)}*`]
    const parts = percentage === undefined ? [] : partsOf(percentage.code)
    const old = expired === undefined ? [] : [expired, expired.toLowerCase()]
    for (const discount_code of [unknown, ...parts, '%', '*', '__proto__', 'constructor', 'toString', ...old])
      t.rejected(await t.call('getDiscount', { discount_code }), 'discount_not_found')
    t.need(expired, 'discounts.expired')
  }),
})

async function expectData(t: CheckContext, code: string, expected: object, requirement: RequirementId): Promise<void> {
  const reply = await t.call('getDiscount', { discount_code: code })
  t.accepted(reply, requirement)
  t.equal(dataOf(reply), expected, 'the discount', reply, requirement)
}
