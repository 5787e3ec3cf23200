import { type DelayProxy, startDelayProxy } from '@storeport/testing/delay-proxy'
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

const clicksOfKind = 11

/** Counts what clicks take, one at a time and in turns; a PostgreSQL server is reached through a proxy that takes `delayMs` each way. */
export async function countClicks(sides: readonly CountedSide[], delayMs: number): Promise<ClickCounts[]> {
  const started: CountingProcess[] = []
  try {
    for (const side of sides) started.push(await startCounting(side, delayMs))
    // What is done once for a connection is over then.
    for (const { side, process } of started) await process.run(side.next('new', 5))
    const counts: ClickCounts[] = []
    for (const kind of clickKinds) {
      const clicks = started.map((): SingleClick[] => [])
      for (let turn = 0; turn < clicksOfKind; turn++) {
        for (const [index, counting] of started.entries()) clicks[index]?.push(await countOne(counting, kind))
      }
      for (const [index, { side }] of started.entries()) {
        counts.push({ variant: side.name, kind, ...mediansOf(clicks[index] ?? []) })
      }
    }
    return counts
  } finally {
    for (const { process, proxy } of started) {
      await process.end()
      await proxy?.stop()
    }
  }
}

interface CountingProcess {
  readonly side: CountedSide
  readonly process: ClickProcess
  readonly proxy: DelayProxy | undefined
}

type Traffic = NonNullable<ClickCounts['onTheWire']>
type SingleClick = Omit<ClickCounts, 'variant' | 'kind'>

async function startCounting(side: CountedSide, delayMs: number): Promise<CountingProcess> {
  const { file, url } = side
  const proxy = url.startsWith('postgres:') ? await startDelayProxy(url, delayMs) : undefined
  return { side, proxy, process: await startClicks(file, proxy?.through(url) ?? url, true) }
}

async function countOne({ side, process, proxy }: CountingProcess, kind: ClickKind): Promise<SingleClick> {
  const before = proxy?.traffic()
  const costs = await process.run(side.next(kind, 1))
  const after = proxy?.traffic()
  return { ...costs, onTheWire: before && after && difference(after, before) }
}

function mediansOf(clicks: readonly SingleClick[]): SingleClick {
  const middle = (read: (one: SingleClick) => number) => median(clicks.map(read))
  const ofWire = (name: keyof Traffic) => middle(({ onTheWire }) => onTheWire?.[name] ?? Number.NaN)
  const isOnWire = clicks.some(({ onTheWire }) => onTheWire !== undefined)
  return {
    statements: middle(({ statements }) => statements),
    commits: middle(({ commits }) => commits),
    milliseconds: middle(({ milliseconds }) => milliseconds),
    onTheWire: isOnWire
      ? { statements: ofWire('statements'), roundTrips: ofWire('roundTrips'), commits: ofWire('commits') }
      : undefined,
  }
}

function difference(after: Traffic, before: Traffic): Traffic {
  return {
    statements: after.statements - before.statements,
    roundTrips: after.roundTrips - before.roundTrips,
    commits: after.commits - before.commits,
  }
}
