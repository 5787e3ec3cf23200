import { startDelayProxy } from '@storeport/testing/delay-proxy'
import { type ClickKind, clickKinds } from '../store/click-plan.ts'
import { type ClickProcess, startClicks } from './click-process.ts'
import { median } from './statistics.ts'

/** What one click takes besides CPU time: medians of some clicks. */
export interface ClickCounts {
  readonly variant: string
  readonly kind: ClickKind
  /** Statements at the driver, the beginning and the end of transactions included. */
  readonly statements: number
  readonly commits: number
  /** What passes the proxy before PostgreSQL: statements and answers that say that the server is ready. */
  readonly onTheWire: { readonly statements: number; readonly roundTrips: number; readonly commits: number } | undefined
  readonly milliseconds: number
}

/** A variant whose clicks are counted. */
export interface CountedSide {
  readonly name: string
  readonly file: string
  readonly url: string
  /** The bodies of the next clicks of a kind. */
  next(kind: ClickKind, count: number): readonly string[]
}

const clicks = 11

/** Counts what clicks take, one after the other; a PostgreSQL server is reached through a proxy that takes `delayMs` each way. */
export async function countClicks(sides: readonly CountedSide[], delayMs: number): Promise<ClickCounts[]> {
  const counts: ClickCounts[] = []
  for (const { name, file, url, next } of sides) {
    const proxy = url.startsWith('postgres:') ? await startDelayProxy(url, delayMs) : undefined
    const process = await startClicks(file, proxy?.through(url) ?? url, true)
    try {
      // What is done once for a connection is over then.
      await process.run(next('new', 5))
      for (const kind of clickKinds) {
        const single = await runSingly(process, next(kind, clicks), () => proxy?.traffic())
        counts.push({ variant: name, kind, ...single })
      }
    } finally {
      await process.end()
      await proxy?.stop()
    }
  }
  return counts
}

type Traffic = NonNullable<ClickCounts['onTheWire']>

async function runSingly(process: ClickProcess, bodies: readonly string[], traffic: () => Traffic | undefined) {
  const each: Omit<ClickCounts, 'variant' | 'kind'>[] = []
  for (const body of bodies) {
    const before = traffic()
    const costs = await process.run([body])
    const after = traffic()
    each.push({ ...costs, onTheWire: before && after && difference(after, before) })
  }
  const middle = (read: (one: (typeof each)[number]) => number) => median(each.map(read))
  return {
    statements: middle(({ statements }) => statements),
    commits: middle(({ commits }) => commits),
    milliseconds: middle(({ milliseconds }) => milliseconds),
    onTheWire: traffic() && {
      statements: middle(({ onTheWire }) => onTheWire?.statements ?? Number.NaN),
      roundTrips: middle(({ onTheWire }) => onTheWire?.roundTrips ?? Number.NaN),
      commits: middle(({ onTheWire }) => onTheWire?.commits ?? Number.NaN),
    },
  }
}

function difference(after: Traffic, before: Traffic): Traffic {
  return {
    statements: after.statements - before.statements,
    roundTrips: after.roundTrips - before.roundTrips,
    commits: after.commits - before.commits,
  }
}
