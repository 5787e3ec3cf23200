import type { EndpointName, MutationName, Operations } from './store-port.ts'
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

/** Input of an endpoint's StorePort method. */
export type InputOf<Name extends EndpointName> = Parameters<Operations[Name]>[0]

/** Output of an endpoint's StorePort method, without `null`. */
export type OutputOf<Name extends EndpointName> = NonNullable<Awaited<ReturnType<Operations[Name]>>>

/** Type of the contract table. Each row has the input and output types of one StorePort method. */
export type Endpoints = {
  readonly [Name in EndpointName]: Endpoint<
    InputOf<Name>,
    Awaited<ReturnType<Operations[Name]>> extends void ? unknown : OutputOf<Name>
  > & { readonly button?: Button & { readonly needs?: readonly EndpointName[] } } & (Name extends MutationName
      ? { readonly retryWindowMs: number }
      : unknown)
}

/**
 * The contract table, with one row for each endpoint. The router, client, OpenAPI description, kit, playground and docs
 * are derived from this table.
 */
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

/** Returns the row of an endpoint, with a type that includes the optional columns. */
export function endpointRow(name: EndpointName): Endpoint {
  return endpoints[name]
}

/** Names of all endpoints, in the order of the contract table. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints).filter(isEndpointName)

/** Whether a string is the name of an endpoint. */
export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name)
}

/** Creates a record with one value for each endpoint. */
export function forEachEndpoint<Value>(make: (name: EndpointName) => Value): Record<EndpointName, Value> {
  const made = Object.fromEntries(endpointNames.map((name) => [name, make(name)]))
  // oxlint-disable-next-line typescript/consistent-type-assertions -- Object.fromEntries loses the names, which are those of the table
  return made as Record<EndpointName, Value>
}

/** Returns the HTTP methods that an endpoint accepts, as the value of the `Allow` header. */
export function allowedMethods(name: EndpointName): 'GET, HEAD' | 'POST' {
  return endpoints[name].method === 'GET' ? 'GET, HEAD' : 'POST'
}

/** Returns the error message of a 405 response. */
export function explainMethod(name: EndpointName): string {
  return `This endpoint accepts only ${allowedMethods(name).replace(',', ' and')}.`
}
