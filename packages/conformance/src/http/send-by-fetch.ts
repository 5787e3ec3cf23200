import { joinPieces, type PlainRequest, type PlainResponse, type Send, sendThat } from './plain-http.ts'

/** Sends with the global `fetch`, which normalises paths; `baseUrl` may hold a path that comes before every target. */
export function sendByFetch(baseUrl: string): Send {
  return sendThat(
    ['raw-path', 'http-parser'],
    async (request) => responseOf(await fetch(webRequest(baseUrl, request))),
    new URL(baseUrl).host,
  )
}

/** Sends to a fetch handler in the same process: `(request: Request) => Response`. */
export function sendTo(handler: (request: Request) => Response | Promise<Response>): Send {
  return sendThat(['raw-path', 'http-parser'], async (request) => {
    return responseOf(await handler(webRequest('http://localhost', request)))
  })
}

/** Makes a Web Request for a server at `baseUrl`; redirects are not followed. */
function webRequest(baseUrl: string, request: PlainRequest): Request {
  const headers = new Headers()
  for (const [name, value] of request.headers) headers.append(name, value)
  const init: RequestInit = { method: request.method, headers, redirect: 'manual' }
  if (request.signal !== undefined) init.signal = request.signal
  if (request.body !== undefined) Object.assign(init, bodyOf(request.body))
  return new Request(baseUrl.replace(/\/$/, '') + request.target, init)
}

/** Reads a Web Response to its end. */
async function responseOf(response: Response): Promise<PlainResponse> {
  return {
    status: response.status,
    headers: [...response.headers],
    body: response.body === null ? '' : await joinPieces(response.body),
  }
}

/** Bytes rather than a string, since fetch would add a content type to a string. */
function bodyOf(body: Uint8Array | AsyncIterable<Uint8Array>): object {
  return body instanceof Uint8Array ? { body } : { body: streamOf(body), duplex: 'half' }
}

function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
