import type { EndpointName } from '@storeport/core'
import type { CheckContext, Input, NamedCall } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { skipIfSentToday } from './customers.ts'

/** A form of a duplicate click, which consists of two requests. */
export interface Form {
  readonly name: string
  /** Time between the two requests, in milliseconds; `undefined` to send the second after the first response. */
  readonly apartMs?: number
  readonly hasKey: boolean
  /** The requirement that fails if the click takes effect twice. */
  readonly requirement: RequirementId
}

const forms: readonly [Form, ...Form[]] = [
  { name: 'concurrently', apartMs: 0, hasKey: false, requirement: 'RETRY-4' },
  { name: 'after the response, with a key', hasKey: true, requirement: 'RETRY-5' },
  { name: '2 ms apart', apartMs: 2, hasKey: false, requirement: 'RETRY-4' },
  { name: 'concurrently, with a key', apartMs: 0, hasKey: true, requirement: 'RETRY-14' },
  { name: 'after the response', hasKey: false, requirement: 'RETRY-1' },
  { name: '2 ms apart, with a key', apartMs: 2, hasKey: true, requirement: 'RETRY-14' },
]

/** Number of trials that detects a defect in one of ten clicks with a probability of 99 %: 1 − 0.9^44. */
export const trialsWanted = 44

/** Number of concurrent requests, which exceeds the size of a typical connection pool or thread pool. */
export const concurrency = 20

/** Runs trials with each form in turn, on a slow shop for at most 30 s. */
export function forEachForm(run: (form: Form, trial: number) => Promise<void>, wanted = trialsWanted): Promise<void> {
  return repeatFor(30_000, wanted, forms.length, (trial) => run(forms[trial % forms.length] ?? forms[0], trial))
}

/** Runs 90 rounds within 3 s, on a slow shop 4 rounds. A shop that fails in one of twenty rounds is found with 99 %. */
export function forRounds(run: (round: number) => Promise<void>): Promise<void> {
  return repeatFor(3_000, 90, 4, run)
}

async function repeatFor(ms: number, most: number, least: number, run: (turn: number) => Promise<void>): Promise<void> {
  const end = performance.now() + ms
  for (let turn = 0; turn < most && (turn < least || performance.now() < end); turn++) await run(turn)
}

/** Returns the headers of a request with an `Idempotency-Key`; a new key by default. */
export function named(key: string = crypto.randomUUID()) {
  return { headers: { 'Idempotency-Key': key } }
}

/** Creates a request that the shop must not treat as a repeat of another request. */
export function withOwnKey(name: EndpointName, input: Input): NamedCall {
  return { name, input, ...named() }
}

/** Creates a batch of concurrent requests. `make` receives the index of the request. */
export function concurrently(make: (index: number) => NamedCall): readonly NamedCall[] {
  return Array.from({ length: concurrency }, (_, index) => make(index))
}

/** Sends requests concurrently, and again if another change is still running. Fails for any other server error. */
export async function sendTogether(t: CheckContext, calls: readonly NamedCall[]): Promise<readonly Reply[]> {
  const replies = [...(await t.concurrently(calls))]
  for (const [index, { name, input, headers }] of calls.entries()) {
    const reply = replies[index]
    if (reply !== undefined && mustWait(reply) && errorCodeOf(reply) === 'request_in_progress')
      replies[index] = await t.call(name, input, { headers })
  }
  for (const reply of replies) t.ok(reply.status < 500, 'a status below 500 for concurrent requests', reply, 'STATE-6')
  return replies
}

/** Returns whether a shop asks the caller to wait, because another click of the customer is pending. */
export function mustWait(reply: Reply): boolean {
  return reply.status === 503 && reply.header('Retry-After') !== undefined
}

/** The requirement that fails if neither of the two requests succeeds, by endpoint. */
const effects: Partial<Record<EndpointName, RequirementId>> = {
  addProduct: 'ADD-1',
  undoAddProduct: 'UNDO-1',
  swapProduct: 'SWAP-1',
}

/** Sends a click twice and expects success for both requests. */
export async function repeatClick(t: CheckContext, name: EndpointName, input: Input, form: Form) {
  const { headers } = form.hasKey ? named() : { headers: undefined }
  const call = { name, input, headers }
  const replies =
    form.apartMs === undefined
      ? [await t.call(name, input, { headers }), await t.call(name, input, { headers })]
      : await t.concurrently([call, call], [0, form.apartMs])
  expectOne(t, replies, effects[name])
  for (const reply of replies) {
    const again = isPending(reply, form.hasKey) ? await t.call(name, input, { headers }) : reply
    t.ok(again.status === 200, `status 200 for each request, sent twice ${form.name}`, again, form.requirement)
  }
  t.tried(name)
}

/**
 * Sends a click three times within 2 ms, and expects success for each request. With a key, `request_in_progress` is
 * also accepted.
 *
 * Fails `requirement` if every request is rejected. Skips the check if an order was already sent today.
 */
export async function burstClick(
  t: CheckContext,
  name: EndpointName,
  input: Input,
  requirement: RequirementId,
  headers?: NamedCall['headers'],
): Promise<void> {
  const call = { name, input, headers }
  const replies = await t.concurrently([call, call, call], [0, 0, 2])
  if (name === 'sendNow') skipIfSentToday(t, replies)
  expectOne(t, replies, requirement)
  const others = replies.filter((reply) => !isPending(reply, headers !== undefined))
  for (const reply of others) t.accepted(reply, headers === undefined ? 'RETRY-4' : 'RETRY-14')
  t.tried(name)
}

function expectOne(t: CheckContext, [first, ...others]: readonly Reply[], requirement?: RequirementId): void {
  if (first !== undefined && others.every(({ status }) => status !== 200)) t.accepted(first, requirement)
}

/** Returns whether the shop rejected a request because another request with the same key is still running. */
function isPending(reply: Reply, hasKey: boolean): boolean {
  return hasKey && errorCodeOf(reply) === 'request_in_progress'
}
