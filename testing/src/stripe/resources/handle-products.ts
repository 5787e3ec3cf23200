import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { listPage, matches } from '../list-page.ts'
import { createResource, findResource, save } from '../stripe-account.ts'
import type { Handlers } from '../stripe-requests.ts'

/** Products (docs.stripe.com/api/products). */
export const productHandlers = {
  'GET /v1/products': (account, params) =>
    listPage(
      '/v1/products',
      account.products,
      params,
      ({ id, active }) => matches(params, { active }) && (params.ids?.includes(id) ?? true),
    ),
  'POST /v1/products': (account, params) =>
    save(
      account.products,
      createResource<Stripe.Product>({
        object: 'product',
        id: params.id ?? account.createId('prod'),
        active: true,
        created: account.now(),
        description: params.description ?? null,
        images: [],
        metadata: changeMetadata({}, params.metadata),
        name: params.name,
      }),
    ),
  'POST /v1/products/{id}': (account, params, id) => {
    const before = findResource(account.products, 'product', id)
    return save(account.products, {
      ...before,
      active: params.active ?? before.active,
      default_price: params.default_price ?? before.default_price ?? null,
    })
  },
} satisfies Partial<Handlers>
