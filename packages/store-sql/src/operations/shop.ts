import type { CatalogueProduct, DiscountTerms, Shop } from '@storeport/rules'
import type { RunAction } from '../sql-store.ts'

/** What the rules are told about the shop beside its data. */
export interface ShopSettings {
  /** Tells the store's date. */
  readonly today: () => string
  /** What picture addresses that start with a slash are put behind. */
  readonly publicUrl: () => string
  /** Most units that one line may hold. */
  readonly maxQuantity: number
  /** For how many days after its cancellation a subscription can be reactivated. */
  readonly reactivationDays: number
  /** What the custom actions do, by id. */
  readonly actions: ReadonlyMap<string, RunAction>
}

/** What was read for one call. */
export interface ShopRows {
  /** Products by id. */
  readonly products?: ReadonlyMap<string, CatalogueProduct> | undefined
  /** The discount that the call names. */
  readonly discount?: DiscountTerms | undefined
  /** The general list. */
  readonly offered?: readonly CatalogueProduct[] | undefined
}

/** What a rule may look at beside the account, during one call. */
export function shopOf(settings: ShopSettings, { products, discount, offered = [] }: ShopRows): Shop {
  return {
    today: settings.today(),
    max_quantity: settings.maxQuantity,
    reactivation_days: settings.reactivationDays,
    public_url: settings.publicUrl(),
    product: (id) => products?.get(id),
    offered: () => offered,
    discount: () => discount,
    newId: (kind) => `${kind}_${crypto.randomUUID()}`,
  }
}
