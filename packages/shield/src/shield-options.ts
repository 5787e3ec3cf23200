import type { EndpointName } from '@storeport/core'
import type { Generations } from './answers/generations.ts'
import type { ShieldEvent } from './shield-events.ts'
import type { Bucket } from './turns/bucket.ts'

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
