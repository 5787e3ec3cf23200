import type { CheckFailure } from '../engine/check-failure.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { requirements } from '../requirements.ts'

/** What usually causes a failure: what came back tells more than the requirement, when it is no answer of the API at all. */
export function usualCause(failure: CheckFailure): string {
  const { requirement, reply, noAnswer } = failure
  if (noAnswer?.startsWith('within') === true) return 'The server hangs, or waits for something that never comes.'
  if (noAnswer !== undefined) return 'The server broke off: it crashed, or something in between cut the connection.'
  if (reply?.status === 429) return 'The shop counts calls: allow more of them for this run.'
  if (reply !== undefined && reply.status >= 300 && reply.status < 400)
    return 'Something in front of the API redirects.'
  if (/^\s*</.test(reply?.text ?? '')) return 'A web page came back: of the framework, or of a proxy in front of it.'
  if (reply !== undefined && reply.status >= 500) return 'An exception: the log of the server tells which one.'
  return causeOfRefusal(failure) ?? requirements[requirement].cause
}

/** What a refusal tells that is not the expected answer. */
function causeOfRefusal({ requirement, reply, expected }: CheckFailure): string | undefined {
  if (reply === undefined || reply.status < 400) return undefined
  const code = errorCodeOf(reply)
  const wanted = /^(?:status )?([1-5]\d\d)\b/.exec(expected)?.[1]
  if (wanted === undefined || requirement.startsWith('ERROR-')) return undefined
  if (wanted.startsWith('4')) {
    return wanted === String(reply.status)
      ? undefined
      : 'The call is refused, but with another status than the specified one.'
  }
  if (code === 'customer_not_found') return 'The shop does not know this customer: is the address in the profile right?'
  if (reply.status === 401 || reply.status === 403)
    return 'The key is refused for this call, though it is the right one.'
  if (reply.status === 405) return 'The path is there, but it is registered with another method.'
  if (code === 'invalid_request') return 'The shop refuses a field that is valid: its message says which one.'
  return undefined
}
