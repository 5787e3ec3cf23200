import { setTimeout } from 'node:timers/promises'
import type { EndpointName, NameOptions } from '@storeport/core'
import type { Capability, Send } from '../http/plain-http.ts'
import type { Profile } from '../profile/profile.ts'
import type { ChangeLog } from './changes.ts'
import type { CheckLayer, Exploration } from './check.ts'

/**
 * Mode of a run.
 *
 * `read-only` sends only GET, HEAD and OPTIONS requests and is safe for production. `default` also changes the data of
 * test customers. `stress` also sends bursts of concurrent requests and slow requests.
 */
export type RunMode = 'read-only' | 'default' | 'stress'

/** Default response timeout, in milliseconds. */
export const defaultTimeoutMs = 10_000

/** Options of a run. */
export interface RunOptions {
  /** Sends requests to the shop. */
  readonly send: Send
  /** An API key that the shop accepts. */
  readonly apiKey: string
  /** A second valid API key, which is required to check key rotation. */
  readonly secondApiKey?: string | undefined
  /** Test customers, products, codes and actions; defaults to the reference host's seed data. */
  readonly profile?: Profile | undefined
  /** Name of the email platform, or path prefix and header names; defaults to `integration`. */
  readonly names?: NameOptions | undefined
  /** Mode of the run; defaults to `default`. */
  readonly mode?: RunMode | undefined
  /** Layer of the checks; defaults to both layers. */
  readonly layer?: CheckLayer | undefined
  /** Check ids, topics (the part of a check id before the dot) or requirement ids; defaults to all checks. */
  readonly only?: readonly string[] | undefined
  /**
   * Settings of the random sequences that are compared with a model. Without this option, a run contains the
   * exploration only if `only` names it.
   */
  readonly explore?: Exploration | undefined
  /** Capabilities that the transport or the environment of the server lacks. */
  readonly unsupported?: readonly Capability[] | undefined
  /** Reason for each excluded check, by check id. */
  readonly skips?: Readonly<Record<string, string>> | undefined
  /**
   * Resets the shop to its initial state before each check. A check whose test data is used up then fails instead of
   * being skipped.
   */
  readonly reset?: (() => Promise<void>) | undefined
  /** Whether the shop is in its initial state before each check, even if `reset` is not set. */
  readonly fresh?: boolean | undefined
  /** Whether the run may change test data permanently, because the run uses test mode or a disposable shop. */
  readonly disposable?: boolean | undefined
  /** Whether to pause if the shop has a rate limit. Defaults to false for a shop on this machine, otherwise true. */
  readonly waits?: boolean | undefined
  /** Called before a pause that the shop's rate limit requires, with the length of the pause in seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined
  /** Log of changes to test data. If the option is not set, the run creates a log and reports the remaining changes. */
  readonly changes?: ChangeLog | undefined
  /** The endpoints that the shop offers; detected by default. */
  readonly offered?: readonly EndpointName[] | undefined
  /** Maximum time for one response, in milliseconds; defaults to 10,000. */
  readonly timeoutMs?: number | undefined
  /** Maximum duration of one check, in milliseconds; defaults to 120,000. */
  readonly checkTimeoutMs?: number | undefined
  /** Ends the run when aborted. The remaining checks are skipped. */
  readonly signal?: AbortSignal | undefined
  /** Clock for the current date; defaults to the system clock. */
  readonly now?: (() => Date) | undefined
  /** Clock for repeats after some seconds; defaults to a monotonic clock and timers. */
  readonly clock?: Clock | undefined
}

/** A monotonic clock. A test of a shop in the same process can advance the clock of the shop instead of waiting. */
export interface Clock {
  /** Returns milliseconds. */
  now(): number
  /** Waits for a number of milliseconds, or until the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The default clock of a run. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
}

/** Options of a check: the options of the run, and the detected endpoints. */
export interface CheckOptions extends RunOptions {
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
}

/** Returns whether a run pauses if the shop has a rate limit. By default, a run pauses only for a remote shop. */
export function waitsForShop({ waits, send }: Pick<RunOptions, 'waits' | 'send'>): boolean {
  return waits ?? !isOnThisMachine(send.host)
}

/**
 * Returns whether a host, with or without a port, is this machine. A shop in this process has no host, so the default
 * is `localhost`.
 */
export function isOnThisMachine(host = 'localhost'): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host)
}

/** Returns whether a run in this mode sends requests with a method. */
export function allowsMethod(mode: RunMode | undefined, method: string): boolean {
  return mode !== 'read-only' || ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/** Returns whether a run may change test data permanently, because the shop is reset, fresh or disposable. */
export function mayChangeFreely({ fresh, reset, disposable }: RunOptions): boolean {
  return fresh === true || disposable === true || reset !== undefined
}
