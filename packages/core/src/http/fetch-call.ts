import type { Answer, Call } from './call.ts'
import { StoreError } from '../contract/errors.ts'

/** Converts a Web Request to a `Call`. */
export function callFromRequest(request: Request, context?: { waitUntil?(promise: Promise<unknown>): void }): Call {
  const { path, query } = splitUrl(request.url)
  return {
    method: request.method,
    path,
    query,
    scheme: request.url.startsWith('https:') ? 'https' : 'http',
    header: (name) => request.headers.get(name),
    text: (maxBytes) => readText(request, maxBytes),
    // Not a bare method, because `waitUntil` of Cloudflare Workers requires its context as `this`.
    waitUntil: (promise) => context?.waitUntil?.(promise),
    hasDisconnected: () => request.signal.aborted,
    onAbort: (listener) => {
      if (request.signal.aborted) listener()
      request.signal.addEventListener('abort', listener, { once: true })
      return () => request.signal.removeEventListener('abort', listener)
    },
  }
}

/** Converts an `Answer` to a Web Response. Responses to HEAD have no body. */
export function responseFromAnswer(answer: Answer, method: string): Response {
  return new Response(method === 'HEAD' ? null : answer.body, { status: answer.status, headers: answer.headers })
}

/** Splits the URL of a request. Does not need a `URL` object, because `Request.url` is absolute and normalized. */
function splitUrl(url: string): { path: string; query: string } {
  const hash = url.indexOf('#')
  const end = hash === -1 ? url.length : hash
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?')
  if (mark === -1 || mark > end) return { path: url.slice(start, end), query: '' }
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) }
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (request.bodyUsed)
    throw new TypeError('The body was already read. Pass the request before its body is read, or pass a clone.')
  if (Number(request.headers.get('content-length')) > maxBytes) throw new StoreError('payload_too_large')
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read().catch(throwIncomplete)
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel().catch(() => {})
      throw new StoreError('payload_too_large')
    }
    text += decoder.decode(value, { stream: true })
  }
}

function throwIncomplete(): never {
  throw new StoreError('invalid_request', 'body: ended before it was complete')
}
