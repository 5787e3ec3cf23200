import * as z from 'zod/mini'
import type { Exchange } from '../../src/protocol.ts'
import { texts } from '../texts.ts'
import type { Outcome } from './failure.ts'

const Envelope = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), data: z.optional(z.unknown()) }),
  z.object({ success: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
])

/** Reads the answer to a call; one that breaks the contract is a failure, and nothing of it is shown. */
export function readOutcome<Data>(exchange: Exchange, schema: z.ZodMiniType<Data> | null): Outcome<Data | null> {
  const { response, problem } = exchange
  if (response === null) return createFailure('shop_unreachable', texts.wire.unreachable(problem ?? ''))
  const envelope = z.safeParse(Envelope, parseJson(response.body))
  if (!envelope.success) return createFailure('invalid_answer', texts.wire.invalidAnswer(texts.wire.notAnEnvelope))
  if (!envelope.data.success) return { ok: false, failure: envelope.data.error }
  if (schema === null) return { ok: true, data: null }
  if (envelope.data.data === undefined)
    return createFailure('invalid_answer', texts.wire.invalidAnswer(texts.wire.noData))
  const data = z.safeParse(schema, envelope.data.data)
  if (data.success) return { ok: true, data: data.data }
  const issue = data.error.issues[0]
  const where = ['data', ...(issue?.path ?? [])].join('.')
  return createFailure('invalid_answer', texts.wire.invalidAnswer(`${where}: ${issue?.message ?? ''}`))
}

function createFailure(code: string, message: string): Outcome<never> {
  return { ok: false, failure: { code, message } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
