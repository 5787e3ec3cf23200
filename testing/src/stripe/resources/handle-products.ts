import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { createResource } from '../create-resource.ts'
import { listPage, matches } from '../list-page.ts'
import { findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'

/** Products (docs.stripe.com/api/products). */
export const productHandlers = {
  'GET /v1/products': (account, params) =>
    listPage(
      '/v1/products',
      account.products,
      params,
      ({ id, active }) => matches(params, { active }) && (params.ids?.includes(id) ?? true),
    ),
  'POST /v1/products': createProduct,
  'POST /v1/products/{id}': updateProduct,
} satisfies Partial<Handlers>

function createProduct(account: StripeAccount, params: Stripe.ProductCreateParams): Stripe.Product {
  const id = params.id ?? account.createId('prod')
  if (account.products.has(id)) throw createInvalidRequest('Product already exists.', 'id', 'resource_already_exists')
  checkImages(params.images)
  const product = createResource('Product', {
    id,
    active: params.active ?? true,
    created: account.now(),
    description: params.description ?? null,
    images: params.images ?? [],
    metadata: changeMetadata({}, params.metadata),
    name: params.name,
    type: 'service',
    updated: account.now(),
  })
  return save(account.products, product)
}

function updateProduct(account: StripeAccount, params: Stripe.ProductUpdateParams, id: string): Stripe.Product {
  const before = findResource(account.products, 'product', id)
  const images = params.images === undefined ? before.images : params.images || []
  checkImages(images)
  const after: Stripe.Product = {
    ...before,
    active: params.active ?? before.active,
    description: params.description === undefined ? before.description : params.description || null,
    images,
    metadata: changeMetadata(before.metadata, params.metadata),
    name: params.name ?? before.name,
    updated: account.now(),
  }
  return save(account.products, after)
}

/** Throws for more than 8 images (docs.stripe.com/api/products/create). */
function checkImages(images: readonly string[] | undefined): void {
  if (images !== undefined && images.length > 8) throw createInvalidRequest('You can have up to 8 images.', 'images')
}
