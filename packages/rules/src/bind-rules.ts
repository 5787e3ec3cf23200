import { type CompleteStorePort, type Context, type InputOf, type OutputOf, StoreError } from '@storeport/core'
import type { CustomerAccount } from './account/customer-account.ts'
import {
  allRules,
  type ChangeName,
  type ReadName,
  type Rule,
  type RuleName,
  type Rules,
} from './operations/all-rules.ts'
import type { ReadAccount } from './operations/rule-needs.ts'

/** How a store calls a rule: it loads what the rule looks at, calls it, and saves what it returns. */
export interface RuleCalls {
  /** Loads at least the `readParts` of the customer's account, `undefined` for an unknown customer, and answers what the rule returns. */
  read<Name extends ReadName>(
    name: Name,
    input: InputOf<Name>,
    context: Context,
    rule: Rule<ReadAccount<Name> | undefined, InputOf<Name>, OutputOf<Name>>,
  ): Promise<OutputOf<Name>>
  /** Loads the customer's account, `undefined` for an unknown customer, and saves the account that the rule returns: in one transaction. */
  change<Name extends ChangeName>(
    name: Name,
    input: InputOf<Name>,
    context: Context,
    rule: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount>,
  ): Promise<void>
}

/**
 * Returns the operations of a store, each of which calls its rule; `runCustomAction` is the store's own.
 *
 * The rules that `read` and `change` are given throw a `StoreError`: `customer_not_found` for an unknown customer
 * (`listProducts` answers with the general list, `getDiscount` has no customer), and what the operation itself refuses.
 */
export function bindRules({ read, change }: RuleCalls, rules: Rules = allRules): Pick<CompleteStorePort, RuleName> {
  return {
    // Upsells
    listProducts: (input, context) => read('listProducts', input, context, rules.listProducts),
    addProduct: (input, context) => change('addProduct', input, context, requireAccount(rules.addProduct)),
    undoAddProduct: (input, context) => change('undoAddProduct', input, context, requireAccount(rules.undoAddProduct)),

    // Customer portal
    getSubscription: (input, context) => read('getSubscription', input, context, requireAccount(rules.getSubscription)),
    sendNow: (input, context) => change('sendNow', input, context, requireAccount(rules.sendNow)),
    delaySubscription: (input, context) =>
      change('delaySubscription', input, context, requireAccount(rules.delaySubscription)),
    swapProduct: (input, context) => change('swapProduct', input, context, requireAccount(rules.swapProduct)),

    // Reactivation
    listCancelledSubscriptions: (input, context) =>
      read('listCancelledSubscriptions', input, context, requireAccount(rules.listCancelledSubscriptions)),
    reactivateSubscription: (input, context) =>
      change('reactivateSubscription', input, context, requireAccount(rules.reactivateSubscription)),

    // Discounts
    getDiscount: (input, context) => read('getDiscount', input, context, rules.getDiscount),
  }
}

/** The rule for a customer who may be unknown: then it throws `customer_not_found`. */
function requireAccount<Account, Input, Result>(
  rule: Rule<Account, Input, Result>,
): Rule<Account | undefined, Input, Result> {
  return (account, input, shop) => {
    if (account === undefined) throw new StoreError('customer_not_found')
    return rule(account, input, shop)
  }
}
