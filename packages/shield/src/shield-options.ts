import { type EndpointName, endpointNames, isEndpointName, type StorePort } from '@storeport/core'
import { type Generations, ownGenerations } from './keep-answers.ts'
import { type Bucket, ownBucket } from './take-turns.ts'

/** What the shield did with a call. */
export interface ShieldEvent {
  /** `fresh` and `stale` answers were kept, `joined` a call that was under way, `asked` the platform, `refused` for want of a turn, `failed` by the platform. */
  readonly what: 'fresh' | 'stale' | 'joined' | 'asked' | 'refused' | 'failed'
  /** The method that was called. */
  readonly endpoint: EndpointName | 'reconcile'
  /** How long a call that was asked, or refused, waited for its turn, in milliseconds. */
  readonly waitedMs?: number | undefined
}

/** How often the shield did what, since it was made. */
export type ShieldCounts = Readonly<Record<ShieldEvent['what'] | 'waited', number>>

/** How a shield is set up; only the rate of the platform has no default. */
export interface ShieldOptions {
  /** Calls that the platform takes in a second, from this process alone; or a bucket that several processes share. */
  readonly calls: number | Bucket
  /** How many calls of the platform a method makes; default 1 for each. */
  readonly costs?: Readonly<Partial<Record<EndpointName | 'reconcile', number>>> | undefined
  /** How long an answer is given without asking the platform again, in milliseconds; default 30,000. */
  readonly freshMs?: number | undefined
  /** How old an answer may be that is given while the platform is asked again, or fails, in milliseconds; default a day. */
  readonly staleMs?: number | undefined
  /** Most answers that are kept; beyond it the one that was not given for longest goes; default 50,000. */
  readonly maxAnswers?: number | undefined
  /** How long a read may wait for its turn, in milliseconds; default 1,000. */
  readonly readWaitMs?: number | undefined
  /** How long a click, and the question how one ended, may wait for its turn, in milliseconds; default 1,500. */
  readonly clickWaitMs?: number | undefined
  /** Most calls that wait; default 1,000. */
  readonly maxWaiting?: number | undefined
  /** Time for the platform to answer a read, in milliseconds; default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Numbers that say whose answers are outdated, for several processes; default this process's own. */
  readonly generations?: Generations | undefined
  /** Called with what the shield did, for counts and logs: without customer data. */
  readonly observe?: ((event: ShieldEvent) => void) | undefined
  /** The time in milliseconds; default the clock of `performance.now()`. */
  readonly now?: (() => number) | undefined
}

type Complete<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> }

/** The options of a shield, complete. */
interface ShieldSettings extends Complete<Omit<ShieldOptions, 'calls' | 'costs' | 'observe'>> {
  readonly bucket: Bucket
  readonly observe: ShieldOptions['observe']
  /** How many calls of the platform a method makes. */
  readonly costOf: (name: EndpointName | 'reconcile') => number
}

/** Completes the options; throws TypeError for a store, a name or a number that cannot be used. */
export function readShieldOptions(store: StorePort, options: ShieldOptions): ShieldSettings {
  const { calls, costs = {}, now = () => performance.now() } = options
  const keeping = endpointNames.find((name) => keepsItsClicks(store[name]))
  if (keeping !== undefined) {
    throw new TypeError(`store: ${keeping} keeps its clicks in a database of its own, which needs no shield`)
  }
  for (const [name, cost] of Object.entries(costs)) {
    if (name !== 'reconcile' && !isEndpointName(name)) throw new TypeError(`costs: there is no method ${name}`)
    checkNumber(`costs.${name}`, cost)
  }
  const maxAnswers = checkNumber('maxAnswers', options.maxAnswers ?? 50_000)
  return {
    now,
    bucket: typeof calls === 'object' ? calls : ownBucket(checkNumber('calls', calls), now),
    costOf: (name) => costs[name] ?? 1,
    freshMs: checkNumber('freshMs', options.freshMs ?? 30_000),
    staleMs: checkNumber('staleMs', options.staleMs ?? 86_400_000),
    maxAnswers,
    readWaitMs: checkNumber('readWaitMs', options.readWaitMs ?? 1000),
    clickWaitMs: checkNumber('clickWaitMs', options.clickWaitMs ?? 1500),
    maxWaiting: checkNumber('maxWaiting', options.maxWaiting ?? 1000),
    timeoutMs: checkNumber('timeoutMs', options.timeoutMs ?? 10_000),
    generations: options.generations ?? ownGenerations(maxAnswers),
    observe: options.observe,
  }
}

/** Whether core's `keepsClicks` has marked a method: a shield would take the mark off. */
function keepsItsClicks(method: object | undefined): boolean {
  return method !== undefined && Reflect.has(method, Symbol.for('storeport.keepsClicks'))
}

function checkNumber(name: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  throw new TypeError(`${name}: must be a number, more than 0`)
}
