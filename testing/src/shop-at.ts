import { type CompleteStorePort, type EndpointName, endpoints, forEachEndpoint } from '@storeport/core'
import type * as z from 'zod/mini'

/** Input of an endpoint. Fields with a default are optional. */
export type Input<Name extends EndpointName> = z.input<(typeof endpoints)[Name]['input']>

/** Data in a successful response of an endpoint. */
export type Output<Name extends EndpointName> = Exclude<Awaited<ReturnType<CompleteStorePort[Name]>>, null>

/** Sends one request to each endpoint. A method rejects with an error with `code` if the response reports a failure. */
export type Shop = {
  readonly [Name in EndpointName]: (
    input: Input<Name>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Output<Name>>
}

/** Returns methods that send requests to the API at a URL, with `fetch` or another function. */
export function shopAt(url: string, apiKey: string, send: (request: Request) => Promise<Response> = fetch): Shop {
  const methods = forEachEndpoint((name) => async (input: object, more: Readonly<Record<string, string>> = {}) => {
    const { method, path } = endpoints[name]
    const address = new URL(`${url}/integration${path}`)
    const headers = { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json', ...more }
    if (method === 'GET') for (const [field, value] of Object.entries(input)) address.searchParams.set(field, value)
    const body = method === 'GET' ? null : JSON.stringify(input)
    const response = await send(new Request(address, { method, headers, body }))
    const envelope: { data?: unknown; error?: { code: string; message: string } } = JSON.parse(await response.text())
    const { data, error } = envelope
    if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
    return data
  })
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the tests trust the response, which the kit checks
  return methods as Shop
}
