import type { IncomingMessage, ServerResponse } from 'node:http'
import { createAccess } from './create-access.ts'
import { isFromOwnPage } from './own-request.ts'
import { createPageCalls } from './page-calls.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { readPage } from './read-page.ts'
import { connectShop } from './shop-connection.ts'
import { refuse, refuseStranger, refuseWith, writeFile } from './write-answer.ts'

/** Answers the requests to `/` and below `/playground/`, and says whether it did: others go to the next handler. */
export type Playground = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/** Makes the playground of one shop, to be mounted on node:http; throws TypeError for options that cannot work. */
export function createPlayground(options: PlaygroundOptions): Playground {
  const access = createAccess(options)
  const page = readPage(options.pageFolder)
  const calls = createPageCalls(options, connectShop(options.target))

  async function answer(req: IncomingMessage, res: ServerResponse, path: string): Promise<true> {
    const call = calls[path]
    const cookie = path === '/' ? access.cookieFor(req) : undefined
    if (cookie === undefined && !access.hasCookie(req)) {
      refuseStranger(req, res, path)
    } else if (call === undefined) {
      if (cookie !== undefined) res.setHeader('Set-Cookie', cookie)
      writeFile(req, res, page.get(path), path)
    } else if (req.method !== call.method) {
      refuse(res, 405, 'method_not_allowed', 'Use the method that the Allow header names.', { Allow: call.method })
    } else if (!isFromOwnPage(req.method, req.headers)) {
      refuse(res, 403, 'forbidden', 'Only the page of the playground itself may ask this.')
    } else {
      await call.answer(req, res).catch((error: unknown) => refuseWith(res, error))
    }
    return true
  }

  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    return path === '/' || path.startsWith('/playground/') ? answer(req, res, path) : false
  }
}
