import type { EndpointName, Operations } from './store-port.ts'
import { addProduct } from './add-product.ts'
import { delaySubscription } from './delay-subscription.ts'
import type { Button, Endpoint } from './endpoint.ts'
import { getDiscount } from './get-discount.ts'
import { getSubscription } from './get-subscription.ts'
import { listCancelledSubscriptions } from './list-cancelled-subscriptions.ts'
import { listProducts } from './list-products.ts'
import { reactivateSubscription } from './reactivate-subscription.ts'
import { runCustomAction } from './run-custom-action.ts'
import { sendNow } from './send-now.ts'
import { swapProduct } from './swap-product.ts'
import { undoAddProduct } from './undo-add-product.ts'

export { AddProductInput } from './add-product.ts'
export { DelaySubscriptionInput } from './delay-subscription.ts'
export { GetDiscountInput } from './get-discount.ts'
export { ListProductsInput } from './list-products.ts'
export { ReactivateSubscriptionInput } from './reactivate-subscription.ts'
export { RunCustomActionInput } from './run-custom-action.ts'
export { SwapProductInput } from './swap-product.ts'
export { UndoAddProductInput } from './undo-add-product.ts'

/** What the StorePort method of an endpoint takes. */
export type InputOf<Name extends EndpointName> = Parameters<Operations[Name]>[0]

/** What the StorePort method of an endpoint answers when it finds what was asked for. */
export type OutputOf<Name extends EndpointName> = NonNullable<Awaited<ReturnType<Operations[Name]>>>

/** The type of the contract table: a row for each StorePort method, with its input and output. */
export type Endpoints = {
  readonly [Name in EndpointName]: Endpoint<
    InputOf<Name>,
    Awaited<ReturnType<Operations[Name]>> extends void ? unknown : OutputOf<Name>
  > & { readonly button?: Button & { readonly needs?: readonly EndpointName[] } }
}

/** The whole API, one row per endpoint: router, client, OpenAPI, conformance kit, playground and docs read this table. */
export const endpoints = {
  listProducts,
  addProduct,
  undoAddProduct,
  getSubscription,
  sendNow,
  delaySubscription,
  swapProduct,
  listCancelledSubscriptions,
  reactivateSubscription,
  runCustomAction,
  getDiscount,
} as const satisfies Endpoints

/** The row of an endpoint, with the optional columns that a literal type would hide. */
export function endpointRow(name: EndpointName): Endpoint {
  return endpoints[name]
}

/** The names of all endpoints, in the order of the contract table. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints).filter(isEndpointName)

/** Whether a text names an endpoint. */
export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name)
}

/** Makes a record with one value for each endpoint. */
export function forEachEndpoint<Value>(make: (name: EndpointName) => Value): Record<EndpointName, Value> {
  const made = Object.fromEntries(endpointNames.map((name) => [name, make(name)]))
  // oxlint-disable-next-line typescript/consistent-type-assertions -- Object.fromEntries forgets the names, which are those of the table
  return made as Record<EndpointName, Value>
}

/** The methods that an endpoint answers, as the `Allow` header lists them. */
export function allowedMethods(name: EndpointName): 'GET, HEAD' | 'POST' {
  return endpoints[name].method === 'GET' ? 'GET, HEAD' : 'POST'
}

/** Says which method an endpoint answers. */
export function explainMethod(name: EndpointName): string {
  return `Send ${allowedMethods(name).replace(',', ' or')}: this endpoint answers nothing else.`
}
