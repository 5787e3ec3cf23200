import { StoreError } from '@storeport/core'
import type { CustomerAccount } from '@storeport/rules'
import { changeField } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import type { Mutant } from '../mutant.ts'

/** Defects that affect only some customers, discount codes or dates in the profile. */
export const mutants: readonly Mutant[] = [
  ...['test@example.com', 'cancelled@example.com', 'another@example.com'].map((email): Mutant => ({
    defect: `custom actions look for something that ${email} has not`,
    store: ({ runCustomAction }) => ({
      runCustomAction: async (input, context) => {
        if (input.email === email) throw new StoreError('subscription_not_found')
        return runCustomAction(input, context)
      },
    }),
  })),
  ...listMutants({
    results: {
      reactivateSubscription: {
        'a reactivation takes a fixed amount off each item': (result) => doubleDiscounts(result),
      },
    },
    request: {
      'a reactivation does not know fixed codes': changeField('discount_code', (code) =>
        code === 'FIVEOFF' ? undefined : code,
      ),
      'the last day of a month is one that every month has': changeField('new_date', (date) =>
        String(date).replace(/-(?:29|30|31)$/, '-28'),
      ),
    },
    bodies: {
      'the sum of discounts is not rounded': [/("order_discount_total":\d+\.\d)(\d)?/g, '$1$25'],
      'the sum of discounts has the noise of floating point': [/("order_discount_total":\d+\.\d+)/g, '$10000000000002'],
      'the first day of a month is the last one of the month before': [
        /"next_billing_date":"(\d{4}-\d\d)-01"/g,
        '"next_billing_date":"$1-02"',
      ],
      'the 31st is shown as the 30th': [/-31"/g, '-30"'],
    },
  }),
]

function doubleDiscounts(account: CustomerAccount): CustomerAccount {
  return {
    ...account,
    discount_uses: account.discount_uses.map((use) =>
      use.kind === 'fixed_amount' ? { ...use, amount_minor: 2 * use.amount_minor } : use,
    ),
  }
}
