import { type EndpointName, endpointNames, isEndpointName, type StorePort } from '@storeport/core'
import { createLocalGenerations, type Generations } from './response-cache.ts'
import { type Bucket, createLocalBucket } from './rate-limit.ts'

/** An event that a shield passes to `observe`. */
export interface ShieldEvent {
  /**
   * `fresh`: a cached response was returned. `stale`: an older cached response was returned after a failed request.
   * `joined`: the call shared a pending request. `sent`: the platform received a request. `rejected`: no turn was
   * available in time. `failed`: the platform failed. `over_budget`: the requests of this month have exceeded
   * `monthlyCalls` (reported once a month).
   */
  readonly kind: 'fresh' | 'stale' | 'joined' | 'sent' | 'rejected' | 'failed' | 'over_budget'
  /** Method that was called. */
  readonly endpoint: EndpointName | 'reconcile'
  /** Time that the call waited for a turn, in milliseconds. Present only for `sent` and `rejected`. */
  readonly waitedMs?: number | undefined
}

/**
 * Number of events of each kind since the shield was created. `waited` is the number of `sent` events that had to wait.
 * `monthlyCalls` is the number of requests to the platform in this calendar month (UTC), according to `costs`.
 */
export type ShieldCounts = Readonly<Record<ShieldEvent['kind'] | 'waited' | 'monthlyCalls', number>>

/** Options of `shield`; only `calls` is required. */
export interface ShieldOptions {
  /** Maximum requests per second from this process to the platform, or a bucket that several processes share. */
  readonly calls: number | Bucket
  /** Number of requests that each method sends to the platform; default 1. */
  readonly costs?: Readonly<Partial<Record<EndpointName | 'reconcile', number>>> | undefined
  /** Time in which a cached response is returned without a new request, in milliseconds; default 30,000. */
  readonly freshMs?: number | undefined
  /** Maximum age of a cached response that is returned if a new request fails, in milliseconds; default one day. */
  readonly staleMs?: number | undefined
  /** Maximum number of cached responses; the least recently used response is removed first. Default 50,000. */
  readonly maxCached?: number | undefined
  /** Maximum time that a read waits for a turn, in milliseconds; default 1,000. */
  readonly readWaitMs?: number | undefined
  /** Maximum time that a click or `reconcile` waits for a turn, in milliseconds; default 1,500. */
  readonly clickWaitMs?: number | undefined
  /** Maximum number of calls that wait for a turn; default 1,000. */
  readonly maxWaiting?: number | undefined
  /** Timeout of a read from the platform, in milliseconds; default 10,000. */
  readonly timeoutMs?: number | undefined
  /**
   * Generations that several processes share, so that a change invalidates all caches. By default, each process has its
   * own generations.
   */
  readonly generations?: Generations | undefined
  /**
   * Number of requests that the platform allows in a calendar month; default unlimited. The shield sends further
   * requests, and reports the excess to `observe`.
   */
  readonly monthlyCalls?: number | undefined
  /** Returns the date, for `monthlyCalls`; default the system date. */
  readonly date?: (() => Date) | undefined
  /** Called for every event. Events contain no customer data. */
  readonly observe?: ((event: ShieldEvent) => void) | undefined
  /** Returns the time in milliseconds; default `performance.now()`. */
  readonly now?: (() => number) | undefined
}

type Complete<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> }

/** Validated options of a shield, with defaults. */
interface ShieldSettings extends Complete<Omit<ShieldOptions, 'calls' | 'costs' | 'observe' | 'monthlyCalls'>> {
  readonly bucket: Bucket
  readonly observe: ShieldOptions['observe']
  readonly monthlyCalls: number
  /** Returns the number of requests that a method sends to the platform. */
  readonly costOf: (name: EndpointName | 'reconcile') => number
}

/** Validates the options and adds defaults. Throws TypeError for an invalid store, method name or number. */
export function readShieldOptions(store: StorePort, options: ShieldOptions): ShieldSettings {
  const { calls, costs = {}, now = () => performance.now() } = options
  const storing = endpointNames.find((name) => storesClicks(store[name]))
  if (storing !== undefined) {
    throw new TypeError(`store: ${storing} stores its clicks in its own database. Pass the store without a shield.`)
  }
  for (const [name, cost] of Object.entries(costs)) {
    if (name !== 'reconcile' && !isEndpointName(name)) throw new TypeError(`costs: unknown method ${name}`)
    checkNumber(`costs.${name}`, cost)
  }
  const maxCached = checkNumber('maxCached', options.maxCached ?? 50_000)
  return {
    now,
    bucket: typeof calls === 'object' ? calls : createLocalBucket(checkNumber('calls', calls), now),
    costOf: (name) => costs[name] ?? 1,
    freshMs: checkNumber('freshMs', options.freshMs ?? 30_000),
    staleMs: checkNumber('staleMs', options.staleMs ?? 86_400_000),
    maxCached,
    readWaitMs: checkNumber('readWaitMs', options.readWaitMs ?? 1000),
    clickWaitMs: checkNumber('clickWaitMs', options.clickWaitMs ?? 1500),
    maxWaiting: checkNumber('maxWaiting', options.maxWaiting ?? 1000),
    timeoutMs: checkNumber('timeoutMs', options.timeoutMs ?? 10_000),
    generations: options.generations ?? createLocalGenerations(maxCached),
    observe: options.observe,
    date: options.date ?? (() => new Date()),
    monthlyCalls: options.monthlyCalls === undefined ? Infinity : checkNumber('monthlyCalls', options.monthlyCalls),
  }
}

/** Returns whether a method has the symbol that `storesClicks` sets. A wrapped method would lose the symbol. */
function storesClicks(method: object | undefined): boolean {
  return method !== undefined && Reflect.has(method, Symbol.for('storeport.storesClicks'))
}

function checkNumber(name: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  throw new TypeError(`${name}: must be a number greater than 0`)
}
