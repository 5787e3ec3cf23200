import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Integration } from '@storeport/core'
import { respond } from '@storeport/node'
import { fromBasePath } from './as-sent.ts'

/**
 * Creates the API Route `pages/api/integration/[[...path]].ts` (Pages Router). Next's body parser can be on or off.
 *
 * The route throws TypeError if none of its folders has the name of the base path.
 */
export function toApiRoute(integration: Integration): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    await respond(integration, req, res, { url: fromBasePath(req.url ?? '', integration) })
  }
}
