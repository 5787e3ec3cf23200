import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Integration } from '@storeport/core'
import { respond } from '@storeport/node'
import { fromBasePath, withSpaces } from './as-sent.ts'

/**
 * Makes the API Route of the Pages Router, `pages/api/integration/[[...path]].ts`, with Next's body parser on or off.
 *
 * It throws TypeError when no folder of the route is called like the base path.
 */
export function toApiRoute(integration: Integration): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    await respond(integration, req, res, { url: withSpaces(fromBasePath(req.url ?? '', integration)) })
  }
}
