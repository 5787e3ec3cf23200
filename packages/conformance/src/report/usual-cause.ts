import type { CheckFailure } from '../engine/check-failure.ts'
import { requirements } from '../requirements.ts'

/** What usually causes a failure: what came back tells more than the requirement, when it is no answer of the API at all. */
export function usualCause({ requirement, reply, noAnswer }: CheckFailure): string {
  if (noAnswer?.startsWith('within') === true) return 'The server hangs, or waits for something that never comes.'
  if (noAnswer !== undefined) return 'The server broke off: it crashed, or something in between cut the connection.'
  if (reply?.status === 429) return 'The shop counts calls: allow more of them for this run.'
  if (reply !== undefined && reply.status >= 300 && reply.status < 400)
    return 'Something in front of the API redirects.'
  if (/^\s*</.test(reply?.text ?? '')) return 'A web page came back: of the framework, or of a proxy in front of it.'
  if (reply !== undefined && reply.status >= 500) return 'An exception: the log of the server tells which one.'
  return requirements[requirement].cause
}
