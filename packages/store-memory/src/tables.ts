import { memoryLedger, type MemoryLedger } from '@storeport/core'
import { codeKey, emailKey, readShopData } from '@storeport/rules'
import type { CatalogueProduct, CustomerAccount, DiscountTerms, DiscountUse, Order, ShopData } from '@storeport/rules'
import type { ActionRun, RunAction } from './memory-store.ts'

/** Records with the emails of their customers by id, oldest first. Accounts do not store the sequence across customers. */
export type Journal<Kind> = Map<string, { readonly email: string; readonly record: Kind }>

/** Data of a memory store. */
export interface Tables {
  /** Products by id, in the sequence of the general product list. */
  readonly products: ReadonlyMap<string, CatalogueProduct>
  /** Discounts by the `codeKey` of their code. */
  readonly discounts: ReadonlyMap<string, DiscountTerms>
  /** Functions of the allowed custom actions, by action id. */
  readonly actions: ReadonlyMap<string, RunAction>
  /** Accounts by the `emailKey` of the customer. */
  readonly accounts: Map<string, CustomerAccount>
  /** Runs of custom actions, oldest first. */
  readonly actionsRun: ActionRun[]
  /** Orders and discount uses of all customers. */
  readonly journal: { readonly orders: Journal<Order>; readonly uses: Journal<DiscountUse> }
  /** Clicks of all customers. */
  clicks: MemoryLedger
}

/** Creates the tables from shop data; throws an Error that lists the problems in the data. */
export function fillTables(data: ShopData, actions: Readonly<Record<string, RunAction>>, currency: string): Tables {
  const { products, discounts, accounts, actions: named } = readShopData(data, currency)
  return {
    products: new Map(products.map((product) => [product.id, product])),
    discounts: new Map(discounts.map((terms) => [codeKey(terms.code), terms])),
    actions: new Map([...named.map((id): [string, RunAction] => [id, doNothing]), ...Object.entries(actions)]),
    accounts: new Map(accounts.map((account) => [emailKey(account.email), account])),
    actionsRun: [],
    journal: { orders: new Map(), uses: new Map() },
    clicks: memoryLedger(),
  }
}

/** Returns the number of uses of a discount code by all customers, including its uses in the initial data. */
export function countUses({ accounts }: Tables, terms: DiscountTerms): number {
  const uses = [...accounts.values()].flatMap((account) => account.discount_uses)
  return terms.uses + uses.filter((use) => use.code === terms.code).length
}

/** Function of an action that is only in the data. Does nothing; the store records the run in `actionsRun`. */
function doNothing(): void {}
