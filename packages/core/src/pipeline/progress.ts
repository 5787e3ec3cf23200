import type { CallOutcome } from '../observe/observe.ts'
import type { EndpointName } from '../store-port.ts'
import type { Answer, Call } from './call.ts'
import { safeRequestId } from './request-id.ts'

/** What is known of a call while it goes through the pipeline; at its end it is the outcome. */
export type Progress = { -readonly [Key in keyof CallOutcome]: CallOutcome[Key] }

/** Starts the progress of a call, to one endpoint whatever its path or to the one that its path names. */
export function startProgress(call: Call, endpoint: EndpointName | undefined): Progress {
  return {
    answer: notAnswered,
    requestId: safeRequestId(call.header('x-request-id')) ?? crypto.randomUUID(),
    endpoint,
    code: undefined,
    replayed: false,
    testMode: false,
    storeMs: undefined,
  }
}

/** Is in an outcome until there is an answer. */
const notAnswered: Answer = { status: 500, headers: {}, body: '' }
