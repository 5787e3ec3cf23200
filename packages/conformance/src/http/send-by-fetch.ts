import { type Send, sendThat } from './plain-http.ts'
import { responseOf, webRequest } from './web-request.ts'

/** Sends with the global `fetch`, which normalises paths; `baseUrl` may hold a path that comes before every target. */
export function sendByFetch(baseUrl: string): Send {
  return sendThat(
    ['raw-path', 'http-parser'],
    async (request) => responseOf(await fetch(webRequest(baseUrl, request))),
    new URL(baseUrl).host,
  )
}
