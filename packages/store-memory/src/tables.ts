import { memoryLedger, type MemoryLedger } from '@storeport/core'
import { codeKey, emailKey, readShopData } from '@storeport/rules'
import type { CatalogueProduct, CustomerAccount, DiscountTerms, ShopData } from '@storeport/rules'
import type { ActionRun, RunAction } from './memory-store.ts'

/** All that a memory store holds. */
export interface Tables {
  /** Products by id, in the order of the general list. */
  readonly products: ReadonlyMap<string, CatalogueProduct>
  /** Discount codes by `codeKey`. */
  readonly discounts: ReadonlyMap<string, DiscountTerms>
  /** What the custom actions do, by id: the list of those that are allowed. */
  readonly actions: ReadonlyMap<string, RunAction>
  /** Customers' accounts by `emailKey`. */
  readonly accounts: Map<string, CustomerAccount>
  /** The custom actions that were run, oldest first. */
  readonly actionsRun: ActionRun[]
  /** The ids of orders and of uses of codes, oldest first, with whose they are: an account has only its own in order. */
  readonly journal: { readonly orders: Map<string, string>; readonly uses: Map<string, string> }
  /** The clicks of everybody. */
  clicks: MemoryLedger
}

/** Fills the tables with the data of a shop; throws an Error that lists what is wrong with it. */
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

/** Counts how often a discount code has been used, before and since the start, by all customers together. */
export function countUses({ accounts }: Tables, terms: DiscountTerms): number {
  const uses = [...accounts.values()].flatMap((account) => account.discount_uses)
  return terms.uses + uses.filter((use) => use.code === terms.code).length
}

/** An action that only the data names is noted in `actionsRun`, and that is all. */
function doNothing(): void {}
