import { type EndpointName, forEachEndpoint } from '@storeport/core'
import type { ClientInput, ClientOutput } from '@storeport/client'
import { describeOperation } from '@storeport/core/openapi'

type Inputs = { readonly [Name in EndpointName]: ClientInput<Name> }
type Outputs = { readonly [Name in EndpointName]: ClientOutput<Name> }

/** One input for each endpoint: the example of the OpenAPI description. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- each example has the form of its endpoint, where it is written
export const inputs = forEachEndpoint((name) => describeOperation(name).input) as Inputs

/** One good answer for each endpoint, of an action none. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- each example has the form of its endpoint, where it is written
export const outputs = forEachEndpoint((name) => describeOperation(name).output) as Outputs

/** The customer of most inputs. */
export const { email } = inputs.getSubscription

/** The product of the answers. */
export const [product] = outputs.listProducts.products

/** Returns the input of an endpoint as a query. */
export function queryOf(name: EndpointName): string {
  const fields = Object.entries(inputs[name]).map(([field, value]): [string, string] => [field, String(value)])
  return new URLSearchParams(fields).toString()
}

/** Calls the method of one endpoint with its sample. */
export function callWithSample(client: object, name: EndpointName): Promise<unknown> {
  return Reflect.apply(Reflect.get(client, name), undefined, [inputs[name]])
}
