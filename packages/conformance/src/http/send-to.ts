import { type Send, sendThat } from './plain-http.ts'
import { responseOf, webRequest } from './web-request.ts'

/** Sends to a fetch handler in the same process: `(request: Request) => Response`. */
export function sendTo(handler: (request: Request) => Response | Promise<Response>): Send {
  return sendThat(['raw-path', 'http-parser'], async (request) => {
    return responseOf(await handler(webRequest('http://localhost', request)))
  })
}
