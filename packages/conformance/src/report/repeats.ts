import type { CheckFailure } from '../engine/check-end.ts'
import { contentOf } from '../http/plain-http.ts'
import type { Reply } from '../http/reply.ts'

/** Key of the failures that a replay after another change causes. */
export const replayKey = 'RETRY-2'

/** Returns whether the last POST of a check repeats an earlier POST, with another successful POST of the customer between. */
export function isRepeatAfterChange({ requirement, calls }: CheckFailure): boolean {
  if (repeats.test(requirement)) return false
  const changes = calls.flatMap((call) => {
    const { status, request } = call
    const { method, target, body } = request
    if (method !== 'POST' || status !== 200 || !(body instanceof Uint8Array)) return []
    if (keyOf(call) !== undefined) return []
    const text = new TextDecoder().decode(body)
    return [{ request: `${target} ${text}`, customer: /"email":"([^"]*)"/.exec(text)?.[1] }]
  })
  const last = changes.at(-1)
  const first = changes.findIndex(({ request }) => request === last?.request)
  return changes
    .slice(first, -1)
    .some(({ request, customer }) => request !== last?.request && customer === last?.customer)
}

/** Ids of the requirements that fail if a shop has no protection against repeated requests. */
export const repeats = /^(?:RETRY-(?:1|4|5|6|12|14)|SEND-4)$/

/** Returns whether the shop found no object for a repeat of a successful request. */
export function isRejectedRepeat({ reply, calls, wanted }: Pick<CheckFailure, 'reply' | 'calls' | 'wanted'>): boolean {
  if (reply?.status !== 404 || wanted.status !== 200 || reply.request.method !== 'POST') return false
  const wordsOf = (call: Reply) => JSON.stringify([textOf(call), keyOf(call)])
  const isChange = ({ request, status }: Reply) => request.method === 'POST' && status === 200
  const changes = calls.filter(isChange)
  const first = changes.findLastIndex((call) => wordsOf(call) === wordsOf(reply))
  // Without a key, another change ends the window in which an equal request is a repeat.
  return first !== -1 && (keyOf(reply) !== undefined || first === changes.length - 1)
}

/** Returns the `Idempotency-Key` of a request. */
function keyOf(reply: Reply | undefined): string | undefined {
  return reply?.request.headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1]
}

/** Maximum number of requests that show a repeat. */
const maxSteps = 4

/** Shortest pause between two requests that is printed, in milliseconds. */
export const shownPauseMs = 1000

/**
 * Returns the requests that show how the shop handled a repeat: an earlier request, the successful changes after it,
 * the repeat, and the read that failed. Returns no requests if the failure is not about a repeat.
 */
export function findRepeatSteps({ requirement, reply, calls }: CheckFailure, key: string): readonly Reply[] {
  if (reply === undefined || !(requirement.startsWith('RETRY-') || key === 'repeats' || key === replayKey)) return []
  const isSame = ({ request, text }: Reply) => request.target === reply.request.target && text === reply.text
  const end = calls.findLastIndex(isSame)
  const isClick = (call: Reply) => call.request.method === 'POST' || keyOf(call) !== undefined
  const repeat = calls.slice(0, end + 1).findLast(isClick)
  if (repeat === undefined) return []
  const isEqual = (call: Reply) =>
    keyOf(call) === keyOf(repeat) && (keyOf(repeat) !== undefined || textOf(call) === textOf(repeat))
  // A concurrent request can end after the repeat.
  const clicks = calls.filter(
    (call, index) => isClick(call) && call !== repeat && (index < calls.indexOf(repeat) || isConcurrent(call, repeat)),
  )
  let first = clicks.findLastIndex(isEqual)
  if (first === -1) return []
  while (first > 0 && clicks.slice(first - 1, first).every(isEqual)) first -= 1
  const [start, ...others] = clicks.slice(first)
  const isShown = (call: Reply, index: number) =>
    isEqual(call) ? pauseBetween([start, ...others][index], call) >= shownPauseMs : call.status === 200
  const shown = [start, ...others.filter(isShown), repeat].filter((call) => call !== undefined)
  const steps = isClick(reply) ? shown : [...shown, reply]
  return [...steps.slice(0, 1), ...steps.slice(1).slice(1 - maxSteps)]
}

/** Returns whether the first request was still running when the second request was sent, or the reverse. */
export function isConcurrent(one: Reply, other: Reply): boolean {
  return pauseBetween(one, other) < 0 && pauseBetween(other, one) < 0
}

/** Returns the milliseconds between a response and the next request; 0 if a time is unknown. */
export function pauseBetween(one: Reply | undefined, next: Reply): number {
  return one?.endedAt === undefined || next.request.sentAt === undefined ? 0 : next.request.sentAt - one.endedAt
}

/** Returns the target and the body of a request. */
export function textOf({ request }: Reply): string {
  return `${request.target} ${new TextDecoder().decode(contentOf(request))}`
}
