import { type RawRequest, type TimedEndpoint, timedEndpoints } from './requests.ts'

/** Requests are made in lots of this size, outside of the time that counts. */
const lot = 250

/** Calls a fetch handler as the parent process asks, and tells it the CPU time. */
export function runHandler(handler: (request: Request) => Promise<Response>): void {
  let turn = 0

  async function cpuOf(endpoint: TimedEndpoint, count: number): Promise<number> {
    let cpu = 0
    for (let done = 0; done < count; done += lot) {
      const requests = Array.from({ length: Math.min(lot, count - done) }, () => {
        return webRequest(timedEndpoints[endpoint](turn++))
      })
      const before = process.cpuUsage()
      for (const request of requests) {
        const response = await handler(request)
        if (response.status !== 200) throw new Error(`unexpected answer: ${response.status}`)
        await response.text()
      }
      const { user, system } = process.cpuUsage(before)
      cpu += user + system
    }
    return cpu
  }

  async function follow(order: Order): Promise<void> {
    if ('probe' in order) {
      const response = await handler(webRequest(order.probe))
      const headers = Object.fromEntries(response.headers)
      process.send?.({ answer: { status: response.status, headers, body: await response.text() } })
    } else {
      process.send?.({ cpuMicroseconds: await cpuOf(order.endpoint, order.count) })
    }
  }

  process.on('message', (order: Order) => void follow(order))
  process.on('disconnect', () => process.exit())
  process.send?.({})
}

/** What the parent process asks for. */
type Order = { readonly probe: RawRequest } | { readonly endpoint: TimedEndpoint; readonly count: number }

function webRequest({ method, path, headers, body }: RawRequest): Request {
  const url = `http://127.0.0.1:3000${path}`
  return body === undefined
    ? new Request(url, { method, headers })
    : new Request(url, { method, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }, body })
}
