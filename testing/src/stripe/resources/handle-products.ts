import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { isInRange, listPage, newestFirst } from '../list-page.ts'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'

/** Products (docs.stripe.com/api/products). */
export const productHandlers = {
  'GET /v1/products': (account, params) =>
    listPage(
      '/v1/products',
      newestFirst(account.products).filter(
        ({ id, active, created }) =>
          (params.active === undefined || active === params.active) &&
          (params.ids === undefined || params.ids.includes(id)) &&
          isInRange(created, params.created),
      ),
      params,
    ),
  'GET /v1/products/{id}': (account, _, id) => findResource(account.products, 'product', id),
  'POST /v1/products': createProduct,
  'POST /v1/products/{id}': updateProduct,
} satisfies Partial<Handlers>

function createProduct(account: StripeAccount, params: Stripe.ProductCreateParams): Stripe.Product {
  const id = params.id ?? account.createId('prod')
  if (account.products.has(id)) throw createInvalidRequest('Product already exists.', 'id', 'resource_already_exists')
  checkImages(params.images)
  const product: Stripe.Product = {
    id,
    object: 'product',
    active: params.active ?? true,
    created: account.now(),
    default_price: null,
    description: params.description ?? null,
    images: params.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: changeMetadata({}, params.metadata),
    name: params.name,
    package_dimensions: null,
    shippable: params.shippable ?? null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: account.now(),
    url: params.url ?? null,
  }
  account.products.set(id, product)
  return product
}

function updateProduct(account: StripeAccount, params: Stripe.ProductUpdateParams, id: string): Stripe.Product {
  const before = findResource(account.products, 'product', id)
  if (params.default_price !== undefined) {
    const price = findResource(account.prices, 'price', params.default_price, 'default_price')
    if (idOf(price.product) !== id) throw createInvalidRequest('The price is of another product.', 'default_price')
  }
  const images = params.images === undefined ? before.images : params.images || []
  checkImages(images)
  const after: Stripe.Product = {
    ...before,
    active: params.active ?? before.active,
    default_price: params.default_price ?? before.default_price ?? null,
    description: params.description === undefined ? before.description : params.description || null,
    images,
    metadata: changeMetadata(before.metadata, params.metadata),
    name: params.name ?? before.name,
    updated: account.now(),
  }
  account.products.set(id, after)
  return after
}

/** "A list of up to 8 URLs of images" (docs.stripe.com/api/products/create). */
function checkImages(images: readonly string[] | undefined): void {
  if (images !== undefined && images.length > 8) throw createInvalidRequest('You can have up to 8 images.', 'images')
}
