import { type Send, sendThat } from './plain-http.ts'

/** Asks for the test store with every request. */
export function sendInTestMode(send: Send, header: string): Send {
  return sendThat(
    send.cannot ?? [],
    (request) => send({ ...request, headers: [...request.headers, [header, 'true']] }),
    send.host,
  )
}
