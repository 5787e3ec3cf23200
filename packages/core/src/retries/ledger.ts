import type { FailedOutcome } from '../errors.ts'
import type { Click } from './click.ts'
import type { Judgement } from './judge-click.ts'

/** What the ledger says to a click. */
export type Claim = Claimed | Running | Exclude<Judgement, { readonly state: 'free' | 'running' }>

/** Somebody else runs the click. */
export interface Running {
  readonly state: 'running'
  /** Resolves when that one has settled, from a ledger that can tell; without it the ledger is asked again and again. */
  readonly ended?: Promise<void> | undefined
}

/** The caller that claimed a click runs it, and no other caller runs it until it settles. */
export interface Claimed {
  readonly state: 'claimed'
  /** What the store is given as `context.idempotencyKey`: that of the first try. */
  readonly idempotencyKey: string
  /** How long ago the first try began, in milliseconds, when nobody knows how it ended. */
  readonly firstTryMsAgo?: number | undefined
}

/** How a try ended: a refused one is forgotten, so that the click can be tried again. */
export type Outcome = 'done' | FailedOutcome

/** Remembers clicks so that each counts once; shared by all processes that serve the same customers. */
export interface Ledger {
  /** Whether what it keeps never leaves this process: then it is given names of clicks that are cheaper than digests, and still hold no email. */
  readonly isLocal?: boolean | undefined
  /** How long it is waited for, in milliseconds; default, and at most, the integration's `timeoutMs`. */
  readonly timeoutMs?: number | undefined
  /**
   * Claims a click of which nothing is known, else says what is; one step even among processes, and the same answer to
   * the same try again.
   *
   * With `retryUnknown` a click of unknown outcome is claimed again, under the key of its first try.
   */
  claim(click: Click, retryUnknown: boolean): Claim | Promise<Claim>
  /**
   * Keeps how a claimed click ended, `msAgo` milliseconds before now (default 0). A success is never taken back, and a
   * try that another one has followed can only add a success.
   */
  settle(click: Click, outcome: Outcome, msAgo?: number): void | Promise<void>
}
