import { errorAnswer, type Integration } from '@storeport/core'
import type { NodeRequest, NodeResponse } from './node-message.ts'
import { respond } from './respond.ts'
import { splitTarget } from './split-target.ts'
import { writeAnswer } from './write-answer.ts'

/** A request listener of node:http, node:http2 and everything that takes `(req, res, next)`. */
export type NodeListener = (req: NodeRequest, res: NodeResponse, next?: (error?: unknown) => void) => void

/** Serves an integration: `createServer(toNodeListener(integration))`; paths that are not its own go to `next` if there is one. */
export function toNodeListener(integration: Pick<Integration, 'answer' | 'owns'>): NodeListener {
  return (req, res, next) => {
    if (next !== undefined && !integration.owns(splitTarget(req.url ?? '').path)) return next()
    respond(integration, req, res).catch(next ?? (() => writeAnswer(req, res, errorAnswer('internal_error'))))
  }
}
