import type { IncomingMessage, ServerResponse } from 'node:http'
import { CustomerInput, isEndpointName, parseBody, readBody, StoreError } from '@storeport/core'
import { toCall } from '@storeport/node'
import { type CallRequest, type CheckMode, checkModes, type TimeRequest, timeSteps } from './protocol.ts'

/** Largest body that the playground reads, in bytes. */
const maxBytes = 65_536

/** Reads a JSON object as the API does; throws StoreError for another media type, too many bytes or anything else. */
export async function readJson(req: IncomingMessage, res: ServerResponse): Promise<object> {
  return parseBody(await readBody(toCall(req, res), maxBytes))
}

/** Reads which call to make; throws StoreError `invalid_request`. */
export function readCall(body: object): CallRequest {
  const { endpoint, input }: { endpoint?: unknown; input?: unknown } = body
  if (typeof endpoint !== 'string' || !isEndpointName(endpoint)) {
    throw new StoreError('invalid_request', 'endpoint: must be the name of an endpoint')
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new StoreError('invalid_request', 'input: must be an object')
  }
  return { endpoint, input: { ...input } }
}

/** Reads how far the checks go; throws StoreError `invalid_request`. */
export function readMode(body: { mode?: unknown }): CheckMode {
  return readChoice('mode', checkModes, body.mode)
}

/** Reads where to move the date; throws StoreError `invalid_request`. */
export function readTimeRequest(body: { to?: unknown; email?: unknown }): TimeRequest {
  const to = readChoice('to', timeSteps, body.to)
  const { success, data } = CustomerInput.safeParse({ email: body.email })
  if (success) return { to, email: data.email }
  throw new StoreError('invalid_request', 'email: must be an email address')
}

function readChoice<Choice extends string>(field: string, choices: readonly Choice[], wanted: unknown): Choice {
  const choice = choices.find((known) => known === wanted)
  if (choice !== undefined) return choice
  throw new StoreError('invalid_request', `${field}: must be one of ${choices.join(', ')}`)
}
