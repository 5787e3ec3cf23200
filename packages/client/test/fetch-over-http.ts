import { request } from 'node:http'
import { Readable } from 'node:stream'
import type { Fetch } from '../src/index.ts'

/** Sends requests with `node:http` in tests with fake timers, because the global `fetch` would use the fake timers. */
export const fetchOverHttp: Fetch = (url, { method = 'GET', headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const options = { method, headers: Object.fromEntries(new Headers(headers)), signal: signal ?? undefined }
    const sent = request(url, options, (incoming) => {
      const received = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
      resolve(new Response(Readable.toWeb(incoming), { status: incoming.statusCode ?? 0, headers: received }))
    })
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
