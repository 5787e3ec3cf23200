import { type Claim, type Claimed, type Click, judgeClick, type Ledger, type Outcome } from '@storeport/core'
import type { Send } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import { type ClickRow, type ClickTable, createClickTable } from './click-table.ts'
import { createSweep, type Sweep } from './create-sweep.ts'
import { arrivalOf } from './keep-click.ts'

/** How a ledger over a database is set up; everything has a default. */
export interface SqlLedgerOptions {
  /** The time in milliseconds since 1970; default the clock of the database. */
  readonly now?: (() => number) | undefined
  /** Removes what has expired; default a sweep of its own. */
  readonly sweep?: Sweep | undefined
}

/** A ledger for all processes that share a database; what it answered is on the disk. */
export function sqlLedger(database: Database, { now, sweep }: SqlLedgerOptions = {}): Ledger {
  const table = createClickTable(database.dialect, now)
  const sweepSome = sweep ?? createSweep(database, table)
  const time = now ?? (() => performance.now())

  return {
    // A claim, and how a try ended, can be kept twice.
    claim: (click, retryUnknown) =>
      database.transaction((_, send) => claim(send, table, click, retryUnknown), { repeatable: true }),
    settle: async (click, outcome, msAgo = 0) => {
      // It may wait for a connection.
      const endedAt = time() - msAgo
      await database.transaction((_, send) => settle(send, table, click, outcome, time() - endedAt), {
        repeatable: true,
      })
      sweepSome()
    },
  }
}

async function claim(send: Send, table: ClickTable, click: Click, retryUnknown: boolean): Promise<Claim> {
  const running = {
    state: 'running',
    lastsMs: click.leaseMs,
    keptMs: Math.max(click.leaseMs, click.unknownMs),
  } as const
  if (await table.insert(send, click, running)) return { state: 'claimed', idempotencyKey: click.idempotencyKey }
  // Nobody else claims it until the end of the transaction.
  const found = await table.read(send, click.id)
  // Another transaction has just removed it.
  if (found === undefined) return claim(send, table, click, retryUnknown)
  const isSameTry = found.state === 'running' && found.tryKey === click.idempotencyKey
  if (isSameTry) return claimed(found, found.idempotencyKey !== click.idempotencyKey)
  const judgement = judgeClick(found, click, arrivalOf(click, found.now))
  if (judgement.state === 'unknown' && retryUnknown) {
    await table.reopen(send, click)
    return claimed(found, true)
  }
  if (judgement.state !== 'free') return judgement
  await table.replace(send, click, running, found)
  return { state: 'claimed', idempotencyKey: click.idempotencyKey }
}

function claimed({ idempotencyKey, firstTryAt, now }: ClickRow, isAgain: boolean): Claimed {
  return { state: 'claimed', idempotencyKey, ...(isAgain && { firstTryMsAgo: now - firstTryAt }) }
}

async function settle(send: Send, table: ClickTable, click: Click, outcome: Outcome, msAgo: number): Promise<void> {
  if (outcome === 'refused') await table.forget(send, click)
  else if (outcome === 'unknown') await table.leaveOpen(send, click)
  else {
    const { doneMs, keptMs } = click
    await table.succeed(send, click, { state: 'done', lastsMs: doneMs, keptMs: Math.max(doneMs, keptMs) }, msAgo)
  }
}
