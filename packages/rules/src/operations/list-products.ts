import type { ListProductsInput, ProductList } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import { toProduct } from '../account/responses.ts'
import type { EveryField } from '../shop/every-field.ts'
import { defineRule } from './define-rule.ts'
import { type CatalogueProduct, isAvailable, type Shop } from '../shop/shop.ts'
import { soonest } from '../account/subscriptions.ts'

/**
 * Lists the recommendations for a customer, best first, without the recurring products of the current subscription.
 * Without a customer or without available recommendations, lists every available product (PRODUCTS-3, PRODUCTS-6 to
 * PRODUCTS-8).
 */
export const listProducts = defineRule({
  uses: ['subscriptions', 'recommended', 'products'],
  subscriptions: ['current'],
  ignoresAmounts: true,
  customer: 'optional',
  apply: list,
})

function list(
  account: Pick<CustomerAccount, 'subscriptions' | 'recommended'> | undefined,
  _input: ListProductsInput,
  shop: Shop,
): ProductList {
  const recommended = (account?.recommended ?? []).map((id) => shop.product(id)).filter(isOffered)
  if (account === undefined || recommended.length === 0) return toProductList(shop.offered(), shop)
  const owned = (soonest(account.subscriptions, shop.today)?.items ?? []).filter((item) => !item.one_time)
  const others = recommended.filter((product) => !owned.some((item) => item.product_id === product.id))
  return toProductList(others, shop)
}

function toProductList(products: readonly CatalogueProduct[], shop: Shop): ProductList {
  return { products: products.map((product) => toProduct(product, shop)) } satisfies EveryField<ProductList>
}

function isOffered(product: CatalogueProduct | undefined): product is CatalogueProduct {
  return product !== undefined && isAvailable(product)
}
