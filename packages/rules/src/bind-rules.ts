import {
  type CompleteStorePort,
  type Context,
  type EndpointName,
  endpoints,
  type InputOf,
  keepsClicks,
  type OutputOf,
  StoreError,
} from '@storeport/core'
import type { CustomerAccount } from './account/customer-account.ts'
import { addProduct } from './operations/add-product.ts'
import type { NamedInput, Rule } from './operations/define-rule.ts'
import { delaySubscription } from './operations/delay-subscription.ts'
import { getDiscount } from './operations/get-discount.ts'
import { getSubscription } from './operations/get-subscription.ts'
import { listCancelledSubscriptions } from './operations/list-cancelled-subscriptions.ts'
import { listProducts } from './operations/list-products.ts'
import { reactivateSubscription } from './operations/reactivate-subscription.ts'
import { sendNow } from './operations/send-now.ts'
import { swapProduct } from './operations/swap-product.ts'
import { undoAddProduct } from './operations/undo-add-product.ts'
import { billDue } from './account/bill-due.ts'

/** An operation that has a rule: all but the custom action, whose business is the merchant's own. */
export type RuleName = Exclude<EndpointName, 'runCustomAction'>

/** An operation that changes nothing. */
export type ReadName = {
  [Name in RuleName]: (typeof endpoints)[Name]['method'] extends 'GET' ? Name : never
}[RuleName]

/** An operation that changes the customer's account. */
export type ChangeName = Exclude<RuleName, ReadName>

/** The rule of every operation, by the endpoint's name. */
export const allRules = {
  // Upsells
  listProducts,
  addProduct,
  undoAddProduct,

  // Customer portal
  getSubscription,
  sendNow,
  delaySubscription,
  swapProduct,

  // Reactivation
  listCancelledSubscriptions,
  reactivateSubscription,

  // Discounts
  getDiscount,
} satisfies Readonly<Record<RuleName, unknown>>

/** The names of the operations that have a rule. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- the record has no other keys
export const ruleNames = Object.keys(allRules) as RuleName[]

/** What the rule of a read uses of an account. */
export type ReadAccount<Name extends ReadName> = Pick<
  CustomerAccount,
  Extract<(typeof allRules)[Name]['uses'][number], keyof CustomerAccount>
>

/** The rules of a shop. */
export type Rules = {
  readonly [Name in RuleName]: Name extends ReadName
    ? Rule<Parameters<(typeof allRules)[Name]>[0], InputOf<Name>, OutputOf<Name>>
    : Rule<CustomerAccount, InputOf<Name>, CustomerAccount>
}

/** Returns the customer, the product, the discount code and the subscription that a call names and its rule may ask for. */
export function findNamed<Name extends RuleName>(name: Name, input: InputOf<Name>): NamedInput {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
  const { names } = allRules[name] as { readonly names?: (input: InputOf<Name>) => NamedInput }
  return { ...('email' in input && { email: input.email }), ...names?.(input) }
}

/** How a store calls a rule: it loads what the rule uses, calls it, and saves what it returns. */
export interface RuleCalls {
  /** Loads at least what the rule `uses` of the customer's account, `undefined` for an unknown customer, and answers what the rule returns. */
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
  const bindRead = <Name extends ReadName>(name: Name): Method<Name, OutputOf<Name>> => {
    const { customer = 'required' } = allRules[name]
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
    const rule = rules[name] as Rule<CustomerAccount | undefined, InputOf<Name>, OutputOf<Name>>
    const shown: Rule<Partial<CustomerAccount> | undefined, InputOf<Name>, OutputOf<Name>> = (parts, input, shop) => {
      if (parts === undefined && customer === 'required') throw new StoreError('customer_not_found')
      // No rule of a read uses the parts that were not loaded.
      return rule(
        parts === undefined || customer === 'none' ? undefined : billDue({ ...nobody, ...parts }, shop),
        input,
        shop,
      )
    }
    return (input, context) => calls.read(name, input, context, shown)
  }

  const bindChange = <Name extends ChangeName>(name: Name): Method<Name, void> => {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
    const rule = rules[name] as Rule<CustomerAccount, InputOf<Name>, CustomerAccount>
    const billed: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount> = (account, input, shop) => {
      if (account === undefined) throw new StoreError('customer_not_found')
      return rule(billDue(account, shop), input, shop)
    }
    const method: Method<Name, void> = async (input, context) => {
      await calls.change(name, input, context, billed)
    }
    return calls.keepsClicks === true ? keepsClicks(method) : method
  }

  const methods = ruleNames.map((name) => [name, isRead(name) ? bindRead(name) : bindChange(name)])
  // oxlint-disable-next-line typescript/consistent-type-assertions -- each name has the method of its rule
  return Object.fromEntries(methods) as Pick<CompleteStorePort, RuleName>
}

type Method<Name extends RuleName, Result> = (input: InputOf<Name>, context: Context) => Promise<Result>

function isRead(name: RuleName): name is ReadName {
  return endpoints[name].method === 'GET'
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
