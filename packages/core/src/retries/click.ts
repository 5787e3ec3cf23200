import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError } from '../contract/errors.ts'
import type { Click, ClickDocument, ClickResult, Decision, Ledger } from '../contract/ledger.ts'
import type { ClickIdentity, Context, EndpointName } from '../contract/store-port.ts'
import type { Call } from '../http/call.ts'
import type { Attempt, Claim, ClickNames, Outcome } from './attempt.ts'
import { claim, dayMs, settle } from './protocol.ts'
import { sha256, systemRuntime } from './runtime.ts'

export type CheckedInput = Readonly<Record<string, unknown>>

/** A request that makes a change. */
export interface ClickRequest {
  readonly endpoint: EndpointName
  readonly input: CheckedInput
  /** Separates the clicks of shops that share a ledger. */
  readonly scope: string
  readonly testMode: boolean
  readonly key: string | undefined
  /** Window of an unnamed click, in milliseconds. */
  readonly windowMs: number
}

/** Identity of a click in the documents of a ledger. */
export interface ClickKeys extends ClickNames {
  /** Key of the customer's document. */
  readonly customer: string
  /** The customer's key in plain text, which never leaves the process; default: `customer`. */
  readonly line?: string
  /** The `context.idempotencyKey` of a named click. It survives the loss of a ledger. Empty for an unnamed click. */
  readonly derivedKey: string
  readonly windowMs: number
}

/**
 * Returns the identity of a click (rules 1 to 4; RETRY-1, RETRY-5). The identity excludes the API key, so that a retry
 * after a key rotation is the same click. Returns a promise only if the runtime hashes asynchronously.
 *
 * Hashes the names unless `isLocal` is true, so that a shared ledger contains no customer data.
 */
export function identifyClick(request: ClickRequest, isLocal: boolean): ClickKeys | Promise<ClickKeys> {
  const { endpoint, scope, testMode, key, windowMs } = request
  const prefix = `${scope}:${testMode ? 'test' : 'live'}:`
  const email = emailOf(request.input)
  const line = prefix + email
  const body = canonicalClick(endpoint, request.input)
  if (key === undefined && isLocal) return { customer: line, name: '', body, derivedKey: '', windowMs }
  const name = key === undefined ? '' : `${endpoint}:${key}`
  const derived = JSON.stringify(['storeport-click-2', prefix, email, name, body])
  const texts = isLocal ? [derived] : key === undefined ? [email, body] : [email, body, name, derived]
  const hashes = texts.map(sha256)
  const known = hashes.filter((digest) => typeof digest === 'string')
  return known.length === hashes.length ? keysOf(known) : Promise.all(hashes).then(keysOf)

  function keysOf(digests: readonly string[]): ClickKeys {
    const derivedKey = key === undefined ? '' : (digests.at(-1) ?? '')
    const named = { derivedKey, windowMs: key === undefined ? windowMs : dayMs }
    if (isLocal) return { customer: line, name, body, ...named }
    const [customer = '', bodyDigest = '', nameDigest = ''] = digests
    return { customer: prefix + customer, line, name: key === undefined ? '' : nameDigest, body: bodyDigest, ...named }
  }
}

/** Fields of each endpoint in a fixed sequence, with their defaults. */
const fieldsOf = forEachEndpoint((name) =>
  Object.entries(endpointRow(name).input._zod.def.shape)
    .map(([field, { _zod }]) => ({ field, value: 'defaultValue' in _zod.def ? _zod.def.defaultValue : undefined }))
    .toSorted((one, other) => (one.field < other.field ? -1 : 1)),
)

/** Serializes the endpoint and its input. Omits unknown fields and default values (rule 2). */
export function canonicalClick(endpoint: EndpointName, input: CheckedInput): string {
  const fields: unknown[] = [endpoint]
  for (const { field, value: unset } of fieldsOf[endpoint]) {
    const value = field === 'email' ? emailOf(input) : input[field]
    if (value !== undefined && value !== unset) fields.push(field, value)
  }
  return JSON.stringify(fields)
}

function emailOf({ email }: CheckedInput): string {
  return typeof email === 'string' ? email.toLowerCase() : ''
}

/** Returns the `Idempotency-Key`, without quotes. Throws StoreError unless it has 1–255 visible ASCII characters. */
export function readIdempotencyKey(call: Call): string | undefined {
  const header = call.header('idempotency-key')
  if (header === null || header === undefined) return undefined
  const key = /^".*"$/.test(header) ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new StoreError('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters')
}

/** A global symbol, which all copies of this package in a process share. */
const mark = Symbol.for('storeport.storesClicks')

/**
 * Marks a method that stores `context.click` in the same transaction as its change, and returns the result of `once`. Such
 * a method needs no ledger.
 */
export function storesClicks<Input>(
  method: (input: Input, context: Context) => Promise<ClickResult>,
): (input: Input, context: Context) => Promise<void> {
  const keeping = async (input: Input, context: Context) => void (await method(input, context))
  return Object.assign(keeping, { [mark]: true })
}

/** Whether a method is marked with `storesClicks`. */
export function storesOwnClicks(method: object): boolean {
  return mark in method
}

/** One attempt of a click, which the guard or a transaction claims and settles. */
export class PendingClick implements Click, Attempt {
  readonly customer: string
  readonly name: string
  readonly body: string
  readonly windowMs: number
  readonly arrivedAt: number = systemRuntime.now()
  id: string = systemRuntime.id()
  key: string
  waitedMs = 0
  /** When the caller received a success that the ledger has not stored, in milliseconds of the process. */
  toldAt: number | undefined
  /** Whether the guard has claimed the click, so that a transaction continues that claim. */
  isClaimed = false
  ledger: Ledger | undefined
  /** `done`: the transaction has stored the success. `replayed`: it made no change, because the click had succeeded. */
  ended: ClickResult | undefined
  /** Why the transaction could not claim the click. */
  refused: Claim['state'] | undefined
  /** Whether the time limit of the request is over. */
  isLate = false
  /** Called with the `idempotencyKey` after a claim in a transaction. */
  onKeyChange: ((idempotencyKey: string) => void) | undefined
  #stored: ClickDocument | undefined

  /** `isMarked`: the method claims the click in its transaction. The defaults are for a call without a guard. */
  constructor(
    readonly keys: ClickKeys,
    readonly times: typeof unguarded = unguarded,
    readonly call?: Call,
    readonly isMarked: boolean = true,
    readonly canReconcile: boolean = false,
    readonly repeatableMs: number = Infinity,
  ) {
    this.customer = keys.customer
    this.name = keys.name
    this.body = keys.body
    this.windowMs = keys.windowMs
    this.key = keys.derivedKey
  }

  get idempotencyKey(): string {
    return this.key || this.id
  }
  /** Key of the customer in this process, which is equal for all ledgers. */
  get line(): string {
    return this.keys.line ?? this.customer
  }
  /** The identity that all repeats share, for a store with `reconcile`. */
  get identity(): ClickIdentity {
    return { named: this.name !== '', fingerprint: this.body, windowMs: this.windowMs }
  }
  /** Time since the arrival, in milliseconds. */
  get ageMs(): number {
    return systemRuntime.now() - this.arrivedAt
  }
  get toldMsAgo(): number {
    return this.toldAt === undefined ? 0 : systemRuntime.now() - this.toldAt
  }
  get leaseMs(): number {
    return this.times.leaseMs
  }
  get retainMs(): number {
    return this.times.retainMs
  }
  get commitBy(): number {
    return this.arrivedAt + this.times.commitMs
  }
  /** Whether the caller can no longer receive a response. */
  get isUnheard(): boolean {
    return this.isLate || this.call?.hasDisconnected?.() === true
  }
  get success(): Outcome {
    return this.isUnheard ? 'unreported' : 'succeeded'
  }

  /** Begins a new attempt, because another attempt has taken over the claim. */
  restart(): void {
    this.id = systemRuntime.id()
    this.key = this.keys.derivedKey
    this.isClaimed = false
  }

  claim(stored: ClickDocument | undefined, now: number, readAt: number): Decision<'run' | ClickResult> {
    this.waitedMs = Math.max(0, readAt - this.arrivedAt)
    const { result: found, document, until } = claim(stored, this, now)
    this.refused = undefined
    this.ended = undefined
    if (found.state === 'done' || found.state === 'replayed')
      return { result: (this.ended = found.state), document, until }
    if (!('key' in found)) {
      this.refused = found.state
      throw refusalOf(found.state, this)
    }
    this.key = found.key
    this.onKeyChange?.(found.key)
    this.#stored = document ?? stored
    return { result: 'run' }
  }

  succeed(now: number): Decision<undefined> {
    this.ended = 'done'
    return settle(this.#stored, this, this.success, now)
  }
}

/** Times in milliseconds. `commitMs` is the time from the arrival until the last start of a commit. */
const unguarded = { leaseMs: 0, retainMs: 0, commitMs: Infinity }

const messages = {
  running: 'The same request is still running. Retry after the time in Retry-After.',
  busy: 'Another change by this customer is not complete. Retry after the time in Retry-After.',
  undecided: 'The outcome of another change by this customer is unknown. Retry after the time in Retry-After.',
  unknown: 'The outcome of an earlier attempt is unknown. Retry after the time in Retry-After.',
  full: 'Too many changes by this customer are stored. Retry after the time in Retry-After.',
  lost: 'The ledger no longer contains the claim of this attempt. The guard and `once` must use the same table.',
} as const

/** Creates the error for an attempt that cannot run. The outcome is unknown if an earlier attempt may take effect. */
export function refusalOf(
  state: Exclude<Claim['state'], 'claimed' | 'reconcile' | 'done' | 'replayed'>,
  { name }: ClickNames,
): StoreError {
  if (state === 'reused') return new StoreError('idempotency_key_reused')
  if (state === 'running' && name !== '') return new StoreError('request_in_progress', undefined, { retryAfter: 5 })
  const isShort = state === 'running' || state === 'busy'
  const outcome = state === 'full' || state === 'busy' ? 'refused' : 'unknown'
  return new StoreError('store_unavailable', messages[state], { retryAfter: isShort ? 5 : 30, outcome })
}
