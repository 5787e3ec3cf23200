import type { CatalogueProduct, CustomerAccount, DiscountTerms, NamedInput } from '@storeport/rules'
import { toAccount, toDiscount, toProduct } from './account.ts'
import type { Db } from './database.ts'
import { type CustomerRow, findCoupon, findCustomer, findVariants } from './rows.ts'

/** Data that a request requires. */
export interface Loaded {
  /** Time of the database, in milliseconds since 1970. */
  readonly at: number | undefined
  readonly customer_id: CustomerRow['id'] | undefined
  readonly account: CustomerAccount | undefined
  readonly products: readonly CatalogueProduct[]
  readonly discount: DiscountTerms | undefined
}

/** Loads the data of a request. If `all` is true, loads every product. */
export async function load(tx: Db, { email, product_id, discount_code }: NamedInput, all = false): Promise<Loaded> {
  const row = email === undefined ? undefined : await findCustomer(tx, email)
  const account = row && toAccount(row)
  const items = account?.subscriptions.flatMap((subscription) => subscription.items) ?? []
  const skus = [...items.map((item) => item.product_id), ...(account?.recommended ?? [])]
  if (product_id !== undefined) skus.push(product_id)
  const found = all || skus.length > 0 ? await findVariants(tx, all ? undefined : skus) : []
  const coupon = discount_code === undefined ? undefined : await findCoupon(tx, discount_code)
  return {
    at: row?.at,
    customer_id: row?.id,
    account,
    products: found.map(toProduct),
    discount: coupon && toDiscount(coupon, coupon.uses),
  }
}
