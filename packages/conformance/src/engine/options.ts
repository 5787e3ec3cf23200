import type { EndpointName, NameOptions } from '@storeport/core'
import type { Capability, Send } from '../http/plain-http.ts'
import type { Profile } from '../profile/profile.ts'
import type { ChangeLog } from './changes.ts'
import type { CheckLayer } from './check.ts'

/** How far a run goes: `read-only` is safe on production, `default` writes for test customers, `stress` also sends bursts. */
export type RunMode = 'read-only' | 'default' | 'stress'

/** Default of the longest wait for an answer, in milliseconds. */
export const defaultTimeoutMs = 10_000

/** What a run needs to know. */
export interface RunOptions {
  /** The way to the server. */
  readonly send: Send
  /** An API key that the shop accepts. */
  readonly apiKey: string
  /** Another API key that the shop accepts, to check that keys can be rotated. */
  readonly secondApiKey?: string | undefined
  /** Test customers, products, codes and actions; default the seed of the reference host. */
  readonly profile?: Profile | undefined
  /** The caller's word, or path prefix and header names; default `integration`. */
  readonly names?: NameOptions | undefined
  /** How far to go; default `default`. */
  readonly mode?: RunMode | undefined
  /** Which layer; default both. */
  readonly layer?: CheckLayer | undefined
  /** Which checks: ids, topics (what comes before the dot) or requirement ids; default all. */
  readonly only?: readonly string[] | undefined
  /** What the way to the server, or the server's surroundings, cannot do. */
  readonly cannot?: readonly Capability[] | undefined
  /** Checks that are not made, by id, with the reason. */
  readonly skips?: Readonly<Record<string, string>> | undefined
  /** Brings the shop back to its start; called before each check, which then must find all it needs. */
  readonly reset?: (() => Promise<void>) | undefined
  /** Whether the shop is at its start before each check even without `reset`. */
  readonly fresh?: boolean | undefined
  /** Whether nothing is lost when the run changes test data for good: the calls are in test mode, or the shop is thrown away. */
  readonly disposable?: boolean | undefined
  /** Whether to wait where the shop, which counts calls, wants a pause; default: but for a shop on this machine. */
  readonly waits?: boolean | undefined
  /** Keeps what the run changes; whoever gives one tells it. Default one of its own. */
  readonly changes?: ChangeLog | undefined
  /** The endpoints that the shop offers, where they are known already. */
  readonly offered?: readonly EndpointName[] | undefined
  /** Longest wait for an answer, in milliseconds; default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Longest time for one check, in milliseconds; default 120,000. */
  readonly checkTimeoutMs?: number | undefined
  /** Ends the run when it fires: the checks that are left are skipped. */
  readonly signal?: AbortSignal | undefined
  /** The clock that tells what day it is; default the system's. */
  readonly now?: (() => Date) | undefined
}

/** What one check of a run needs besides the options of the run. */
export interface CheckOptions extends RunOptions {
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** Called with the seconds that the shop, which counts calls, wants the next one to wait. */
  readonly onWait?: ((seconds: number) => void) | undefined
}

/** Whether a run waits where the shop, which counts calls, wants a pause: not for one on this machine, unless it is told to. */
export function waitsForShop({ waits, send }: Pick<RunOptions, 'waits' | 'send'>): boolean {
  return waits ?? !isOnThisMachine(send.host)
}

/** Whether a host, with or without a port, is this machine; a shop without one is called in the same process. */
function isOnThisMachine(host = 'localhost'): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host)
}

/** Whether a run may leave test data as it likes: it is brought back, made anew or thrown away. */
export function mayGoFar({ fresh, reset, disposable }: RunOptions): boolean {
  return fresh === true || disposable === true || reset !== undefined
}
