import {
  type CompleteStorePort,
  type Context,
  type InputOf,
  keepsClicks,
  type OutputOf,
  StoreError,
} from '@storeport/core'
import { billDue } from './account/bill-due.ts'
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
import type { Shop } from './shop/shop.ts'

/** How a store calls a rule: it loads what the rule uses, calls it, and saves what it returns. */
export interface RuleCalls {
  /** Loads at least the `readParts` of the customer's account, `undefined` for an unknown customer, and answers what the rule returns. */
  read<Name extends ReadName>(
    name: Name,
    input: InputOf<Name>,
    context: Context,
    rule: Rule<ReadAccount<Name> | undefined, InputOf<Name>, OutputOf<Name>>,
  ): Promise<OutputOf<Name>>
  /**
   * Loads the customer's account, `undefined` for an unknown customer, and saves the account that the rule returns, in one
   * transaction. With `keepsClicks` it also keeps `context.click` in that transaction: see `clicks.once` of `createSqlLedger`.
   */
  change<Name extends ChangeName>(
    name: Name,
    input: InputOf<Name>,
    context: Context,
    rule: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount>,
  ): Promise<unknown>
  /** Whether `change` keeps clicks: then its methods are marked, and the integration claims none of them in a ledger; default false. */
  readonly keepsClicks?: boolean | undefined
}

/**
 * Returns the operations of a store, each of which calls its rule; `runCustomAction` is the store's own.
 *
 * The rules that `read` and `change` are given throw a `StoreError`: `customer_not_found` for an unknown customer
 * (`listProducts` answers with the general list, `getDiscount` has no customer), and what the operation itself refuses.
 * Every rule is given the account after `billDue`: a read shows a date in the future and saves nothing, a change saves
 * the orders that were due together with what it does.
 */
export function bindRules(calls: RuleCalls, rules: Rules = allRules): Pick<CompleteStorePort, RuleName> {
  const { read } = calls

  /** The method of a change. */
  const change = <Name extends ChangeName>(
    name: Name,
    rule: Rule<CustomerAccount, InputOf<Name>, CustomerAccount>,
  ): ((input: InputOf<Name>, context: Context) => Promise<void>) => {
    const billed = afterBilling(rule)
    const method = async (input: InputOf<Name>, context: Context) => {
      await calls.change(name, input, context, billed)
    }
    return calls.keepsClicks === true ? keepsClicks(method) : method
  }

  return {
    // Upsells
    listProducts: (input, context) => read('listProducts', input, context, showBilledIfKnown(rules.listProducts)),
    addProduct: change('addProduct', rules.addProduct),
    undoAddProduct: change('undoAddProduct', rules.undoAddProduct),

    // Customer portal
    getSubscription: (input, context) => read('getSubscription', input, context, showBilled(rules.getSubscription)),
    sendNow: change('sendNow', rules.sendNow),
    delaySubscription: change('delaySubscription', rules.delaySubscription),
    swapProduct: change('swapProduct', rules.swapProduct),

    // Reactivation
    listCancelledSubscriptions: (input, context) =>
      read('listCancelledSubscriptions', input, context, showBilled(rules.listCancelledSubscriptions)),
    reactivateSubscription: change('reactivateSubscription', rules.reactivateSubscription),

    // Discounts
    getDiscount: (input, context) => read('getDiscount', input, context, rules.getDiscount),
  }
}

/** A change of a customer who may be unknown: then it throws `customer_not_found`. What is due is billed before it. */
function afterBilling<Input>(rule: Rule<CustomerAccount, Input, CustomerAccount>): ChangeRule<Input> {
  return (account, input, shop) => rule(billDue(requireAccount(account), shop), input, shop)
}

/** A read of a customer who may be unknown: then it throws `customer_not_found`. What is due is shown as billed. */
function showBilled<Input, Result>(rule: Rule<CustomerAccount, Input, Result>): ReadRule<Input, Result> {
  return (parts, input, shop) => rule(billParts(requireAccount(parts), shop), input, shop)
}

/** A read that does without a customer. */
function showBilledIfKnown<Input, Result>(
  rule: Rule<CustomerAccount | undefined, Input, Result>,
): ReadRule<Input, Result> {
  return (parts, input, shop) => rule(parts && billParts(parts, shop), input, shop)
}

type ChangeRule<Input> = Rule<CustomerAccount | undefined, Input, CustomerAccount>
type ReadRule<Input, Result> = Rule<Partial<CustomerAccount> | undefined, Input, Result>

function requireAccount<Account>(account: Account | undefined): Account {
  if (account === undefined) throw new StoreError('customer_not_found')
  return account
}

/** Bills an account of which a read has loaded some parts: no rule of a read uses the others. */
function billParts(parts: Partial<CustomerAccount>, shop: Shop): CustomerAccount {
  return billDue({ ...nobody, ...parts }, shop)
}

const nobody: CustomerAccount = {
  email: '',
  subscriptions: [],
  adds: [],
  discount_uses: [],
  orders: [],
  last_sent_on: null,
  last_sent_at: null,
  recommended: [],
}
