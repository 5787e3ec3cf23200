import type { IncomingMessage, ServerResponse } from 'node:http'
import { CustomerInput, describeIssues, endpointNames, parseBody, readBody, StoreError } from '@storeport/core'
import { toCall } from '@storeport/node'
import * as z from 'zod'

/** Maximum size of a request body, in bytes. */
const maxBytes = 65_536

/** Body of `/playground/call`. */
export const CallBody = z.object({ endpoint: z.enum(endpointNames), input: z.record(z.string(), z.unknown()) })

/** Body of `/playground/history`. */
export const HistoryBody = CustomerInput

/** Reads the body as a JSON object; throws StoreError for another media type, an oversized body, or invalid JSON. */
export async function readJson(req: IncomingMessage, res: ServerResponse): Promise<object> {
  return parseBody(await readBody(toCall(req, res), maxBytes))
}

/** Validates a body; throws StoreError `invalid_request`. */
export function readInput<Input>(schema: z.core.$ZodType<Input>, body: object): Input {
  const { success, data, error } = z.safeParse(schema, body)
  if (success) return data
  throw new StoreError('invalid_request', describeIssues(error.issues, body))
}
