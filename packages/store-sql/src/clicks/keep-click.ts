import { judgeClick, type PendingClick, requireReplay } from '@storeport/core'
import type { Send } from '../db/connections.ts'
import { ChangedMeanwhile } from '../db/database-errors.ts'
import type { Beginning, ClickTable } from './click-table.ts'

/** What became of a click: it is kept and its change is to be made, this try has made it before, or another one has. */
export type KeptAs = 'new' | 'ran' | 'replayed'

/** For how long a try is known at least, in milliseconds, so that a transaction that is run again finds itself. */
const tryMs = 60_000

/** Keeps a click in the transaction of its change; throws StoreError for one that may neither run nor be replayed now. */
export async function keepClick(send: Send, table: ClickTable, click: PendingClick): Promise<KeptAs> {
  return (await table.insert(send, click, successOf(click))) ? 'new' : judgeAgain(send, table, click)
}

/** Judges a click of which something was kept already, and keeps it in place of that if it runs. */
export async function judgeAgain(send: Send, table: ClickTable, click: PendingClick): Promise<KeptAs> {
  const found = await table.read(send, click.id)
  if (found === undefined) throw new ChangedMeanwhile()
  if (found.state === 'done' && found.tryKey === click.idempotencyKey) return 'ran'
  const judgement = judgeClick(found, click, arrivalOf(click, found.now))
  if (judgement.state !== 'free') return requireReplay(judgement)
  if (await table.replace(send, click, successOf(click), found)) return 'new'
  throw new ChangedMeanwhile()
}

/** A click that succeeds now. */
export function successOf(click: PendingClick): Beginning {
  const lastsMs = click.remembersMs()
  return { state: 'done', lastsMs, keptMs: Math.max(lastsMs, click.keptMs, tryMs) }
}

/** When a click arrived, or a little earlier, by the clock that read a moment just now: the way of its answer counts as waiting. */
export function arrivalOf({ arrivedAt }: { readonly arrivedAt: number }, now: number): number {
  return now - Math.max(0, performance.now() - arrivedAt)
}
