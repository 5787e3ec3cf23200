import {
  type CompleteStorePort,
  type Context,
  type EndpointName,
  endpoints,
  type InputOf,
  storesClicks,
  type OutputOf,
  StoreError,
} from '@storeport/core'
import { checkAccount, checkShop } from './account/check-account.ts'
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
import { touchesPending } from './account/charges.ts'
import { chargeClick, type ChargeOrder, pendingNotice } from './charge-orders.ts'
import type { Shop } from './shop/shop.ts'

/** An operation with a rule: all operations except the custom action, which the merchant defines. */
export type RuleName = Exclude<EndpointName, 'runCustomAction'>

/** An operation that only reads. */
export type ReadName = {
  [Name in RuleName]: (typeof endpoints)[Name]['method'] extends 'GET' ? Name : never
}[RuleName]

/** An operation that changes the customer's account. */
export type ChangeName = Exclude<RuleName, ReadName>

/** Rules by endpoint name. */
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

/** Names of the operations with a rule. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- the record has no other keys
export const ruleNames = Object.keys(allRules) as RuleName[]

/** The parts of an account that the rule of a read operation uses. */
export type ReadAccount<Name extends ReadName> = Pick<
  CustomerAccount,
  Extract<(typeof allRules)[Name]['uses'][number], keyof CustomerAccount>
>

/** One rule for each operation. */
export type Rules = {
  readonly [Name in RuleName]: Name extends ReadName
    ? Rule<Parameters<(typeof allRules)[Name]>[0], InputOf<Name>, OutputOf<Name>>
    : Rule<CustomerAccount, InputOf<Name>, CustomerAccount>
}

/** Returns the ids and codes in an input. A store loads the matching records before it calls the rule. */
export function findNamed<Name extends RuleName>(name: Name, input: InputOf<Name>): NamedInput {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
  const { names } = allRules[name] as { readonly names?: (input: InputOf<Name>) => NamedInput }
  return { email: 'email' in input ? input.email : undefined, ...names?.(input) }
}

/** Functions of a store that load the data for a rule, call the rule and save its result. */
export interface RuleCalls {
  /**
   * Calls the rule and returns its result. Passes the account parts in the rule's `uses`, or `undefined` if the
   * customer does not exist.
   */
  read<Name extends ReadName>(
    name: Name,
    input: InputOf<Name>,
    context: Context,
    rule: Rule<ReadAccount<Name> | undefined, InputOf<Name>, OutputOf<Name>>,
  ): Promise<OutputOf<Name>>
  /**
   * Calls the rule with the customer's account, or `undefined` if the customer does not exist. Saves the returned
   * account in the same transaction. With `storesClicks`, the transaction also stores `context.click`: see `once` in
   * `createSqlLedger`. `isLast` is false for a step before the change, which charges an order and has no
   * `context.click`.
   */
  change<Name extends ChangeName>(
    name: Name,
    input: InputOf<Name>,
    context: Context,
    rule: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount>,
    isLast: boolean,
  ): Promise<unknown>
  /**
   * Whether `change` stores clicks; default false. If true, `bindRules` wraps the methods in `storesClicks`, except
   * sendNow with `charge`. Its click is claimed before the charge, so `bindRules` sets `honoursIdempotencyKey`.
   */
  readonly storesClicks?: boolean | undefined
  /**
   * Whether loaded accounts, products and discount codes are always valid, for example because the database has
   * constraints. If true, they are not checked.
   */
  readonly hasValidAccounts?: boolean | undefined
  /**
   * Charges the orders that sendNow creates before they are saved. `change` then also runs before the charge, without
   * `context.click`. Without this function, StorePort charges nothing, and you charge an order when you fulfill it.
   */
  readonly charge?: ChargeOrder | undefined
}

/**
 * Creates all operations of a store except `runCustomAction`. Each operation calls its rule.
 *
 * The methods throw a `StoreError` to reject a request, such as `customer_not_found` for an unknown customer.
 * Exceptions: `listProducts` returns the general list for an unknown customer, and `getDiscount` has no customer.
 *
 * No operation bills: the order of a due subscription can still change until the billing job creates it. While the charge
 * of an order is pending, a change of its subscription throws `store_unavailable`.
 *
 * `checkAccount` checks the loaded account. Discount codes, and the products of a change, are checked when a rule uses
 * them. For an invalid record, the operation throws a TypeError such as `subscription_item 8f: price_minor must be an
 * integer of at least 0`.
 */
export function bindRules(
  calls: RuleCalls,
  rules: Rules = allRules,
): Pick<CompleteStorePort, RuleName | 'honoursIdempotencyKey'> {
  const check = (account: Partial<CustomerAccount> | undefined, shop: Shop, checksProducts = true): Shop => {
    if (calls.hasValidAccounts === true) return shop
    if (account !== undefined) checkAccount(account)
    return checkShop(shop, { checksProducts })
  }

  const bindRead = <Name extends ReadName>(name: Name): Method<Name, OutputOf<Name>> => {
    const { customer = 'required' } = allRules[name]
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
    const rule = rules[name] as Rule<CustomerAccount | undefined, InputOf<Name>, OutputOf<Name>>
    const shown: Rule<Partial<CustomerAccount> | undefined, InputOf<Name>, OutputOf<Name>> = (parts, input, given) => {
      if (parts === undefined && customer === 'required') throw new StoreError('customer_not_found')
      const shop = check(parts, given, false)
      // `emptyAccount` supplies only parts that the rule does not use.
      return rule(parts === undefined || customer === 'none' ? undefined : { ...emptyAccount, ...parts }, input, shop)
    }
    return (input, context) => calls.read(name, input, context, shown)
  }

  const bindChange = <Name extends ChangeName>(name: Name): Method<Name, void> => {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
    const rule = rules[name] as Rule<CustomerAccount, InputOf<Name>, CustomerAccount>
    const { charge } = calls
    const isCharged = name === 'sendNow' && charge !== undefined
    const change: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount> = (account, input, given) => {
      if (account === undefined) throw new StoreError('customer_not_found')
      const after = rule(account, input, check(account, given))
      if (touchesPending(account, after)) throw new StoreError('store_unavailable', pendingNotice, { retryAfter: 60 })
      return after
    }
    const method: Method<Name, void> = async (input, context) => {
      if (!isCharged) return void (await calls.change(name, input, context, change, true))
      const withoutClick: Context = { ...context, signal: context.signal, click: undefined }
      await chargeClick(
        (step, isLast) =>
          calls.change(
            name,
            input,
            isLast ? context : withoutClick,
            (account, _input, shop) => step(account, check(account, shop)),
            isLast,
          ),
        charge,
        { customer: context.click?.customer ?? '', key: context.idempotencyKey },
        (account, shop) => rule(account, input, shop),
      )
    }
    return calls.storesClicks === true && !isCharged ? storesClicks(method) : method
  }

  const methods = ruleNames.map((name) => [name, isRead(name) ? bindRead(name) : bindChange(name)])
  // oxlint-disable-next-line typescript/consistent-type-assertions -- each name has the method of its rule
  const bound = Object.fromEntries(methods) as Pick<CompleteStorePort, RuleName>
  // All attempts charge an order under its own key.
  return calls.charge === undefined ? bound : { ...bound, honoursIdempotencyKey: true }
}

type Method<Name extends RuleName, Result> = (input: InputOf<Name>, context: Context) => Promise<Result>

function isRead(name: RuleName): name is ReadName {
  return endpoints[name].method === 'GET'
}

const emptyAccount: CustomerAccount = {
  email: '',
  subscriptions: [],
  adds: [],
  discount_uses: [],
  orders: [],
  last_sent_on: null,
  last_sent_at: null,
  recommended: [],
  // Present so that a spread of the loaded parts adds no property.
  pending_charge: undefined,
}
