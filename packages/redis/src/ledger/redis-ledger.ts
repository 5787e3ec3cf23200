import type { Claim, Click, Ledger, Outcome } from '@storeport/core'
import { checkPositive, checkPrefix, defaultPrefix } from '../check-options.ts'
import { checkServer } from '../check-server.ts'
import type { RedisClient } from '../redis-client.ts'
import { claimScript } from './claim-script.ts'
import { clickKeys } from './click-keys.ts'
import { settleScript } from './settle-script.ts'

/** How a ledger in Redis is set up; everything has a default. */
export interface RedisLedgerOptions {
  /** What every key begins with, as a hash tag: another one for each shop that shares the server; default `storeport`. */
  readonly prefix?: string | undefined
  /** How long the server may take to answer, in milliseconds, before a click is 503; default 2,000. */
  readonly timeoutMs?: number | undefined
  /** Whether to refuse a server that may forget clicks: one that evicts keys, or writes no append-only file; default true. */
  readonly checkServer?: boolean | undefined
  /** The time in milliseconds since 1970, for tests; default the clock of the server. */
  readonly now?: (() => number) | undefined
}

/** A ledger that can be asked whether its server will do. */
export interface RedisLedger extends Ledger {
  /** Asks the server; rejects with a RedisSettingsError for one that may forget clicks, and with the client's error for one that is away. */
  ready(): Promise<void>
}

/**
 * A ledger for all processes that share a Redis server or cluster; nothing readable of a customer is in it.
 *
 * A click is claimed in one round trip and settled in one. Throws TypeError for a prefix that is no word, or a time that is no
 * positive number.
 */
export function redisLedger(client: RedisClient, options: RedisLedgerOptions = {}): RedisLedger {
  const { now } = options
  const prefix = checkPrefix(options.prefix ?? defaultPrefix)
  const timeoutMs = checkPositive('timeoutMs', options.timeoutMs ?? 2000)
  const time = () => (now === undefined ? '' : now())
  let checked: Promise<void> | undefined

  /** Once; a server that was away or would not do is asked again. */
  function ready(): Promise<void> {
    checked ??= (options.checkServer === false ? Promise.resolve() : checkServer(client)).catch((error: unknown) => {
      checked = undefined
      throw error
    })
    return checked
  }

  return {
    timeoutMs,
    ready,
    claim: async (click, retryUnknown) => {
      await ready()
      const waited = Math.max(0, Math.round(performance.now() - click.arrivedAt))
      return toClaim(
        await claimScript(client, clickKeys(prefix, click), claimArguments(time(), waited, click, retryUnknown)),
      )
    },
    settle: async (click, outcome, msAgo = 0) => {
      const endedAt = performance.now() - msAgo
      await ready()
      const ago = Math.round(performance.now() - endedAt)
      await settleScript(client, clickKeys(prefix, click), settleArguments(time(), ago, click, outcome))
    },
  }
}

function claimArguments(now: number | '', waited: number, click: Click, retryUnknown: boolean): (string | number)[] {
  const { id, fingerprint, named, idempotencyKey, leaseMs, doneMs, unknownMs } = click
  return [now, waited, id, fingerprint, flag(named), idempotencyKey, leaseMs, doneMs, unknownMs, flag(retryUnknown)]
}

function settleArguments(now: number | '', msAgo: number, click: Click, outcome: Outcome): (string | number)[] {
  const { id, fingerprint, idempotencyKey, doneMs, keptMs, unknownMs } = click
  return [now, msAgo, id, fingerprint, idempotencyKey, outcome, doneMs, keptMs, unknownMs]
}

function flag(value: boolean): '1' | '0' {
  return value ? '1' : '0'
}

/** Reads what the script answered. */
function toClaim([state = '', second = '', third]: readonly string[]): Claim {
  switch (state) {
    case 'claimed':
      return { state, idempotencyKey: second, ...(third !== undefined && { firstTryMsAgo: Number(third) }) }
    case 'unknown':
      return { state, firstTryMsAgo: Number(second), forgottenInMs: Number(third) }
    case 'done':
    case 'running':
    case 'undecided':
    case 'reused':
      return { state }
    default:
      throw new Error('The Redis server answered what no script of the ledger does.')
  }
}
