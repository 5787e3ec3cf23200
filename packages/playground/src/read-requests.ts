import type { IncomingMessage, ServerResponse } from 'node:http'
import { CustomerInput, isEndpointName, parseBody, readBody, StoreError } from '@storeport/core'
import { toCall } from '@storeport/node'
import type { CallRequest } from './protocol.ts'

/** Maximum size of a request body, in bytes. */
const maxBytes = 65_536

/** Reads the body as a JSON object; throws StoreError for another media type, an oversized body, or invalid JSON. */
export async function readJson(req: IncomingMessage, res: ServerResponse): Promise<object> {
  return parseBody(await readBody(toCall(req, res), maxBytes))
}

/** Validates the body of `/playground/call`; throws StoreError `invalid_request`. */
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

/** Returns the email in a body; throws StoreError `invalid_request`. */
export function readEmail({ email }: { email?: unknown }): string {
  const { success, data } = CustomerInput.safeParse({ email })
  if (success) return data.email
  throw new StoreError('invalid_request', 'email: must be an email address')
}
