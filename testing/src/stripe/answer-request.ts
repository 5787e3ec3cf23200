import { checkParams } from './check-params.ts'
import type { StripeRequestName } from './compile-schemas.ts'
import { expandAnswer } from './expand-answer.ts'
import type { KeptAnswer, KeptAnswers } from './keep-answers.ts'
import type { FormValue } from './parse-form.ts'
import { refuseUnsupported } from './refuse-unsupported.ts'
import { couponHandlers } from './resources/handle-coupons.ts'
import { customerHandlers } from './resources/handle-customers.ts'
import { invoiceItemHandlers } from './resources/handle-invoice-items.ts'
import { invoiceHandlers } from './resources/handle-invoices.ts'
import { priceHandlers } from './resources/handle-prices.ts'
import { productHandlers } from './resources/handle-products.ts'
import { subscriptionHandlers } from './resources/handle-subscriptions.ts'
import type { StripeAccount } from './stripe-account.ts'
import { StripeFailure } from './stripe-failure.ts'
import type { Handlers } from './stripe-handlers.ts'
import type { StripeRequests } from './stripe-requests.ts'
import { writeAnswer } from './write-answer.ts'

const handlers: Handlers = {
  ...couponHandlers,
  ...customerHandlers,
  ...invoiceHandlers,
  ...invoiceItemHandlers,
  ...priceHandlers,
  ...productHandlers,
  ...subscriptionHandlers,
}

// oxlint-disable-next-line typescript/consistent-type-assertions -- the keys of the handlers are those of their type
const names = Object.keys(handlers) as StripeRequestName[]
/** `create_preview` is not an id: paths without an id come first. */
const patterns = names
  .toSorted((left, right) => Number(left.includes('{id}')) - Number(right.includes('{id}')))
  .map((name) => ({ name, pattern: new RegExp(`^${name.replace('{id}', '([^/]+)')}$`) }))

/** A request as it arrived, past its key and version. */
export interface ArrivedRequest {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, FormValue>>
  readonly idempotencyKey: string | undefined
}

/** An answer, and whether it is one that was kept. */
export interface StandInAnswer extends KeptAnswer {
  readonly isReplayed: boolean
}

/** Checks, runs and answers a request. */
export function answerRequest(account: StripeAccount, kept: KeptAnswers, request: ArrivedRequest): StandInAnswer {
  const key = keyOf(request)
  try {
    const found = findRequest(request)
    if (found === undefined) throw createUnknownPath(request)
    const before = key === undefined ? undefined : kept.claim(key, identify(request))
    if (before !== undefined) return { ...before, isReplayed: true }
    try {
      const params = checkParams(found.name, request.params)
      const answer = runRequest(account, found.name, params, found.id)
      if (key !== undefined) kept.keep(key, answer)
      return { ...answer, isReplayed: false }
    } catch (error) {
      if (key !== undefined) kept.release(key)
      throw error
    }
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return { ...writeFailure(error), isReplayed: false }
  }
}

/**
 * Lets a request hold its idempotency key without being done, as one that hangs does: another one with the key is then
 * "another in-progress request" (docs.stripe.com/error-codes#idempotency-key-in-use). Returns what lets it go.
 */
export function holdKey(kept: KeptAnswers, request: ArrivedRequest): () => void {
  const key = keyOf(request)
  return key !== undefined && isClaimed(kept, key, request) ? () => kept.release(key) : () => {}
}

/** A 500 that has done nothing. Stripe keeps it like any answer: whoever tries again with its key gets it again. */
export function answerServerError(kept: KeptAnswers, request: ArrivedRequest): StandInAnswer {
  const answer = writeFailure(new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred' }))
  const key = keyOf(request)
  if (key !== undefined && isClaimed(kept, key, request)) kept.keep(key, answer)
  return { ...answer, isReplayed: false }
}

/** Whether the key was free: a fault is no reason to touch what is kept under one that another request has. */
function isClaimed(kept: KeptAnswers, key: string, request: ArrivedRequest): boolean {
  try {
    return kept.claim(key, identify(request)) === undefined
  } catch (error) {
    if (error instanceof StripeFailure) return false
    throw error
  }
}

/** The answer that says what went wrong. */
export function writeFailure({ status, body }: StripeFailure): KeptAnswer {
  return { status, text: JSON.stringify({ error: body }) }
}

function runRequest<Name extends StripeRequestName>(
  account: StripeAccount,
  name: Name,
  params: StripeRequests[Name]['params'],
  id: string,
): KeptAnswer {
  try {
    return account.change(() => {
      refuseUnsupported(name, params)
      const answer = expandAnswer(account, name, handlers[name](account, params, id), listExpansions(params))
      return { status: 200, text: writeAnswer(name, answer) }
    })
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return writeFailure(error)
  }
}

/** "Don't send idempotency keys in GET and DELETE requests because it has no effect" (docs.stripe.com/api/idempotent_requests). */
function keyOf({ method, idempotencyKey }: ArrivedRequest): string | undefined {
  return method === 'POST' ? idempotencyKey : undefined
}

function identify({ method, path, params }: ArrivedRequest): string {
  return JSON.stringify([method, path, params])
}

function listExpansions(params: object): readonly string[] {
  const expand: unknown = 'expand' in params ? params.expand : undefined
  return Array.isArray(expand) ? expand.filter((path) => typeof path === 'string') : []
}

/** Finds what a method and a path ask for, and the id in the path. */
function findRequest({ method, path }: ArrivedRequest): { name: StripeRequestName; id: string } | undefined {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(`${method} ${path}`)
    if (match !== null) return { name, id: decodeURIComponent(match[1] ?? '') }
  }
  return undefined
}

/** docs.stripe.com/error-codes#url-invalid */
function createUnknownPath({ method, path }: ArrivedRequest): StripeFailure {
  return new StripeFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}), or one that the stand-in of Stripe does not have.`,
  })
}
