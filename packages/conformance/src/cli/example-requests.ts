import { type EndpointName, endpoints, type Names } from '@storeport/core'
import { describeOperation } from '@storeport/core/openapi'
import { type PlainRequest, withQuery } from '../http/plain-http.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns a header line with a content type. */
export const contentType = (value: string) => ({ 'Content-Type': value })

/** Creates functions that create requests of examples. They begin with the documented request of an endpoint. */
export function createRequests(names: Names) {
  const { basePath, apiKeyHeader } = names

  /** Adds the key and the content type. A header of `null` is omitted. */
  function send(method: string, path: string, more: Readonly<Record<string, string | null>> = {}, body?: string) {
    const usual = { [apiKeyHeader]: '<key>', ...(body !== undefined && contentType('application/json')), ...more }
    const headers = Object.entries(usual).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
    return { method, target: basePath + path, headers, ...(body !== undefined && { body: Buffer.from(body) }) }
  }
  const inputOf = (name: EndpointName, fields: Fields) => ({ ...describeOperation(name).input, ...fields })
  const of =
    (name: EndpointName, defaults: Fields = {}) =>
    (fields: Fields = {}, more?: Parameters<typeof send>[2]): PlainRequest => {
      const { method, path } = endpoints[name]
      const input = inputOf(name, { ...defaults, ...fields })
      return method === 'GET'
        ? send(method, withQuery(path, input), more)
        : send(method, path, more, JSON.stringify(input))
    }
  const get = (path: string, more?: Parameters<typeof send>[2]) => send('GET', path, more)
  const put = (body: string, more?: Parameters<typeof send>[2]) => send('POST', endpoints.addProduct.path, more, body)

  const json = JSON.stringify(inputOf('addProduct', { discount_code: undefined, one_time: undefined }))
  const field = (text: string) => json.replace('{', `{${text},`)
  const padded = (bytes: number) => field(`"padding":"${'x'.repeat(bytes - json.length - 13)}"`)

  /** Creates a request that the kit writes to the connection unchanged. */
  function raw(
    headers: readonly (readonly [string, string])[],
    body?: string,
    request: PlainRequest = put(''),
  ): PlainRequest {
    const lines = [['Host', 'shop.example'] as const, ...request.headers, ...headers]
    return { ...request, headers: lines, body: body === undefined ? undefined : Buffer.from(body), version: '1.1' }
  }

  return {
    list: of('listProducts'),
    add: of('addProduct', { discount_code: undefined, one_time: undefined }),
    undo: of('undoAddProduct'),
    read: of('getSubscription'),
    sendNow: of('sendNow'),
    delay: of('delaySubscription'),
    swap: of('swapProduct', { discount_code: undefined }),
    cancelled: of('listCancelledSubscriptions'),
    reactivate: of('reactivateSubscription', { discount_code: undefined }),
    act: of('runCustomAction'),
    discount: of('getDiscount'),
    get,
    send,
    put,
    raw,
    json,
    field,
    padded,
  }
}
