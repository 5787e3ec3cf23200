import {
  addProduct,
  type CustomerAccount,
  type DiscountUse,
  getSubscription,
  reactivateSubscription,
  type Rule,
  type Shop,
  soonest,
  swapProduct,
  undoAddProduct,
  wireItemId,
} from '@storeport/rules'
import { freezeUse } from './accounts.ts'
import type { Mutant } from './mutant.ts'

/**
 * A correct shop that calculates the discount of a code at the time of the change. A swap removes the percentages of its
 * item. A fixed amount counts once for an order.
 */
export const frozenCodes: Pick<Mutant, 'rules'> = {
  rules: {
    getSubscription: (account, input, shop) => {
      const frozen = account.discount_uses.map((use) => freezeUse(use, account))
      const codes = new Map(frozen.map((use) => [`${use.code} ${use.subscription_id}`, use]))
      return getSubscription({ ...account, discount_uses: [...codes.values()] }, input, shop)
    },
    addProduct: withFrozenUse(addProduct),
    reactivateSubscription: withFrozenUse(reactivateSubscription),
    swapProduct: withFrozenUse(swapProduct),
    undoAddProduct: (account, input, shop) => {
      const result = undoAddProduct({ ...account, discount_uses: [] }, input, shop)
      const undone = account.adds.find((add) => !result.adds.includes(add))
      return { ...result, discount_uses: account.discount_uses.filter(({ id }) => id !== undone?.discount_use_id) }
    },
  },
}

/** Calls a rule without the earlier uses of codes, and freezes the use that the rule creates. */
function withFrozenUse<Input extends object>(rule: Rule<CustomerAccount, Input, CustomerAccount>) {
  return (account: CustomerAccount, input: Input, shop: Shop): CustomerAccount => {
    const result = rule({ ...account, discount_uses: [] }, input, shop)
    const swapped = soonest(account.subscriptions)?.items.find(
      (item) => 'current_item_id' in input && wireItemId(item) === input.current_item_id,
    )
    const isKept = ({ code }: DiscountUse) => result.subscriptions === account.subscriptions || !isOf(code, swapped?.id)
    const made = result.discount_uses.map((use) => {
      const item = 'subscription_id' in input ? '' : use.items[0]?.item_id
      const frozen = freezeUse(use, result)
      return use.kind === 'percentage' ? { ...frozen, code: `${use.id} of ${item}` } : frozen
    })
    return { ...result, discount_uses: [...account.discount_uses.filter(isKept), ...made] }
  }
}

function isOf(code: string, itemId: string | undefined): boolean {
  return itemId !== undefined && code.endsWith(` of ${itemId}`)
}
