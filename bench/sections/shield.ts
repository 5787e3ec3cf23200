import { type Context, isStoreError } from '@storeport/core'
import { shield } from '@storeport/shield'
import { delaysOf, startSlowPlatform } from '../measure/slow-platform.ts'
import type { Effort, Finding, Section } from '../report/section.ts'

const readsPerSecond = 165
const clicksPerSecond = 5
const platformMs = 300
const customers = 3000
/** The caller gives up after some seconds; a customer who clicks, earlier. */
const clickLimitMs = 2000

/** What came of the calls of a run. */
interface Outcome {
  reads: number
  readsServed: number
  clicks: number
  clicksDone: number
  clicksRefused: number
  slowestClickMs: number
  /** Reads that were older than a click of the customer that had been answered before they began. */
  stale: number
}

/** A campaign in front of a platform that takes far fewer calls. */
export async function shieldBefore({ full }: Effort): Promise<Section> {
  const seconds = full ? 125 : 10
  const rows: string[][] = []
  const findings: Finding[] = []
  for (const perSecond of [2, 100]) {
    const platform = startSlowPlatform(perSecond, platformMs)
    const store = shield(platform.store, { calls: perSecond })
    const outcome = await sendCampaign(store, seconds)
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
    const { fresh, stale, joined } = store.counts()
    rows.push([
      `${perSecond} calls/s`,
      share(outcome.readsServed, outcome.reads),
      `${fresh} / ${stale} / ${joined}`,
      `${share(outcome.clicksDone, outcome.clicks)} done, ${share(outcome.clicksRefused, outcome.clicks)} 503`,
      `${Math.round(outcome.slowestClickMs)} ms`,
      `${platform.refused()} of ${platform.calls()}`,
      `${outcome.stale} of ${outcome.reads}`,
    ])
    const what = `shield before a platform of ${perSecond} calls/s`
    const isAnswered = outcome.clicksDone + outcome.clicksRefused === outcome.clicks
    const isIn = isAnswered && outcome.slowestClickMs < clickLimitMs
    findings.push(
      finding(`${what}, 429 from it`, '0', String(platform.refused()), platform.refused() === 0),
      finding(`${what}, slowest click, 200 or 503`, '< 2 s', `${Math.round(outcome.slowestClickMs)} ms`, isIn),
      finding(`${what}, reads older than a click`, '0', `${outcome.stale} of ${outcome.reads}`, outcome.stale === 0),
    )
  }
  return {
    title: 'In front of a slow platform',
    method:
      `${readsPerSecond} reads and ${clicksPerSecond} clicks a second for ${seconds} s, of ${customers} customers and the general ` +
      `list in turns, through \`shield\` as it comes, before a platform that takes ${platformMs} ms for each call and answers 429 beyond its rate. ` +
      'Each read is held against the clicks of its customer that had been answered when it began.',
    columns: [
      'platform',
      'reads served',
      'fresh / stale / joined',
      'clicks',
      'slowest click',
      '429',
      'older than a click',
    ],
    rows,
    findings,
  }
}

function finding(what: string, reach: string, measured: string, isReached: boolean): Finding {
  return { what, reach, measured, verdict: isReached ? 'reached' : 'not reached' }
}

async function sendCampaign(store: ReturnType<typeof shield>, seconds: number): Promise<Outcome> {
  const outcome: Outcome = {
    ...{ reads: 0, readsServed: 0, clicks: 0, clicksDone: 0, clicksRefused: 0, slowestClickMs: 0 },
    stale: 0,
  }
  const done = new Map<string, number>()
  const running: Promise<void>[] = []
  const emailOf = () => `c${Math.floor(Math.random() * customers)}@shop.example`

  async function read(isGeneral: boolean): Promise<void> {
    outcome.reads += 1
    const email = emailOf()
    const least = done.get(email) ?? 0
    try {
      if (isGeneral) await store.listProducts?.({}, contextOf())
      else {
        const subscription = await store.getSubscription?.({ email }, contextOf())
        if (subscription && delaysOf(subscription) < least) outcome.stale += 1
      }
      outcome.readsServed += 1
    } catch (error) {
      if (!isStoreError(error)) throw error
    }
  }

  async function click(): Promise<void> {
    outcome.clicks += 1
    const email = emailOf()
    const startedAt = performance.now()
    try {
      await store.delaySubscription?.({ email, new_date: '2030-01-01' }, contextOf())
      outcome.clicksDone += 1
      done.set(email, (done.get(email) ?? 0) + 1)
    } catch (error) {
      if (!isStoreError(error)) throw error
      outcome.clicksRefused += 1
    }
    outcome.slowestClickMs = Math.max(outcome.slowestClickMs, performance.now() - startedAt)
    // Whoever has clicked looks at what came of it.
    running.push(read(false))
  }

  const startedAt = performance.now()
  let reads = 0
  let clicks = 0
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - startedAt) / 1000) {
    for (; reads < elapsed * readsPerSecond; reads++) running.push(read(reads % 2 === 0))
    for (; clicks < elapsed * clicksPerSecond; clicks++) running.push(click())
    await new Promise((resume) => setTimeout(resume, 5))
  }
  await Promise.all(running)
  await Promise.all(running)
  return outcome
}

function contextOf(): Context {
  return {
    requestId: 'bench',
    signal: new AbortController().signal,
    idempotencyKey: crypto.randomUUID(),
    testMode: false,
  }
}
