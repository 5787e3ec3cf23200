import type { Call, Integration } from '@storeport/core'
import type { NodeRequest, NodeResponse } from './node-message.ts'
import { type BodyOptions, readText } from './read-text.ts'
import { splitTarget } from './split-target.ts'
import { writeAnswer } from './write-answer.ts'

/** What a framework knows better than its request object. */
export interface RespondOptions extends BodyOptions {
  /** Path and query below the mount point, where the framework does not leave them in `req.url`. */
  readonly url?: string | undefined
}

/** Answers one request of node:http or node:http2; rejects only when `integration.answer` does or no answer can be written. */
export function respond(
  integration: Pick<Integration, 'answer'>,
  req: NodeRequest,
  res: NodeResponse,
  options: RespondOptions = noOptions,
): Promise<void> {
  return integration.answer(toCall(req, res, options)).then((answer) => writeAnswer(req, res, answer))
}

const noOptions: RespondOptions = {}

/** Makes a call of a request, as the pipeline reads it. */
export function toCall(req: NodeRequest, res: NodeResponse, options: RespondOptions = noOptions): Call {
  const { path, query } = splitTarget(options.url ?? req.url ?? '')
  return {
    method: req.method ?? '',
    path,
    query,
    // Not a getter: V8 keeps one that is made per call, and all that it reaches, until the next full garbage collection.
    clientAddress: req.socket?.remoteAddress,
    header: (name) => joinValues(req.headers[name]),
    text: (maxBytes) => readText(req, maxBytes, options),
    hasLeft: () => hasLeft(res),
    onAbort: (listener) => onLeave(res, listener),
  }
}

function joinValues(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}

/** A response also closes after it was sent; before that, it does so only because the caller has left. */
function hasLeft(res: NodeResponse): boolean {
  return res.destroyed && !res.headersSent
}

function onLeave(res: NodeResponse, listener: () => void): () => void {
  const left = () => {
    if (!res.headersSent) listener()
  }
  if (res.destroyed) left()
  else res.once('close', left)
  return () => res.off('close', left)
}
