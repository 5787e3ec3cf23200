import { type EndpointName, forEachEndpoint } from '@storeport/core'
import { describeOperation } from '@storeport/core/openapi'
import type { Input, Output } from './shop-at.ts'

type Inputs = { readonly [Name in EndpointName]: Input<Name> }
type Outputs = { readonly [Name in EndpointName]: Output<Name> }

/** Example input of each endpoint in the OpenAPI description. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- each example is checked against its endpoint at its definition
export const inputs = forEachEndpoint((name) => describeOperation(name).input) as Inputs

/** Example output of each endpoint. Endpoints for changes have no output. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- each example is checked against its endpoint at its definition
export const outputs = forEachEndpoint((name) => describeOperation(name).output) as Outputs

/** Email of the customer in most inputs. */
export const { email } = inputs.getSubscription

/** First product in the example output of `listProducts`. */
export const [product] = outputs.listProducts.products

/** Returns the input of an endpoint as a query string. */
export function queryOf(name: EndpointName): string {
  const fields = Object.entries(inputs[name]).map(([field, value]): [string, string] => [field, String(value)])
  return new URLSearchParams(fields).toString()
}
