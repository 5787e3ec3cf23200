import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { createIntegration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { apiKey } from './command.ts'

const integration = () =>
  createIntegration({ store: createMemoryStore(), apiKeys: [apiKey], onError: () => {}, retries: false })

/**
 * Creates the listener of a shop that behaves like a plain PHP implementation of the API reference. It does not follow
 * any StorePort recommendation for headers and error codes.
 *
 * The shop has five defects: 403 for an invalid key, prices as strings, errors without a code, a PHP error page for
 * invalid JSON, and no protection against repeated requests.
 */
export function createPhpShop(): RequestListener {
  const shop = integration()
  return async (req, res) => {
    const { method = 'GET', url = '/', headers } = req
    // Uses an empty body if the client closes the connection before the body is complete.
    const body = await text(req).catch(() => '')
    const send = (status: number, type: string, content: string) =>
      void res
        .writeHead(status, { 'Content-Type': type, 'X-Powered-By': 'PHP/8.2.29' })
        .end(method === 'HEAD' ? '' : content)
    const hasKey = headers['x-integration-api-key'] === apiKey
    if (hasKey && method === 'POST' && !isJson(body)) {
      const error = '<br />\n<b>Fatal error</b>:  Uncaught TypeError: Cannot access offset of type string on null'
      return send(
        500,
        'text/html; charset=UTF-8',
        `${error} in <b>/var/www/shop/index.php</b> on line <b>42</b><br />\n`,
      )
    }
    const [path = '/', query = ''] = url.split('?')
    const answer = await shop.answer({
      method,
      path,
      query,
      header: (name) => (name === 'content-type' ? 'application/json' : headers[name]?.toString()),
      text: async () => body,
    })
    const priced = answer.body.replaceAll(/"(price|compare_at_price)":([\d.]+)/g, '"$1":"$2"')
    if (answer.status === 401) return send(403, 'application/json', '{"success":false,"error":"Forbidden"}')
    if (answer.status < 400) return send(answer.status, 'application/json', priced)
    return send(answer.status === 404 ? 404 : 400, 'application/json', '{"success":false,"error":"Request failed"}')
  }
}

function isJson(json: string): boolean {
  try {
    return typeof JSON.parse(json) === 'object'
  } catch {
    return false
  }
}
