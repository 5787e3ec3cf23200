import type { FakeClock } from '@storeport/testing/fake-clock'
import { pauseProcess } from './faults.ts'
import { send, type ShopRow } from './open-shop.ts'
import type { Customer, SoakPlan } from './run-soak.ts'

const sqlite: ShopRow = { kind: 'store-sql', storage: 'SQLite' }
const postgres: ShopRow = { kind: 'store-sql', storage: 'PostgreSQL' }
const ownPostgres: ShopRow = { kind: 'own tables', storage: 'PostgreSQL' }
const ownMariadb: ShopRow = { kind: 'own tables', storage: 'MariaDB' }
const honours: ShopRow = { kind: 'platform', storage: 'Redis', platform: 'honours' }
const fence: ShopRow = { kind: 'platform', storage: 'Redis', platform: 'fence' }
const reconcile: ShopRow = { kind: 'platform', storage: 'Redis', platform: 'reconcile' }
const plain: ShopRow = { kind: 'platform', storage: 'Redis', platform: 'plain' }

/** Shops whose clicks have exactly one effect, except in the classes. */
export const soakShops = [sqlite, postgres, ownPostgres, ownMariadb, honours, fence, plain]

/** A fault that can double a click, see `docs/guide/retries.md`. */
export interface SoakClass {
  readonly name: string
  readonly rows: readonly ShopRow[]
  /** Shops of `rows` whose clicks the fault cannot double; default: none. */
  readonly safe?: readonly ShopRow[]
  readonly plan: SoakPlan
}

const sizes = { timeoutMs: 8000, windowMs: 600_000, rounds: 10, customersEach: 60 }

/** A click that is repeated after its success. */
async function repeatLater({ click, repeat }: Customer): Promise<void> {
  if (!(await click('add beans', Math.random() < 0.5 ? crypto.randomUUID() : undefined))) return
  if (await repeat()) await repeat()
}

/**
 * The response to a COMMIT is late, so the customer receives no response. The customer makes another change, and then
 * repeats the first click, before the process has noticed the loss.
 */
async function changeAfterCommit({ email, running: { shop, hosts }, click }: Customer): Promise<void> {
  const trap = shop.backend.proxy?.trap(/\bcommit\b/i, 'hold')
  const first = send(hosts[0].url, { email, change: 'add beans', name: undefined }, 3000)
  const release = await trap?.caught
  await click('add cups', undefined)
  await click('add beans', undefined)
  await first
  release?.()
}

const jump = (clock: FakeClock) => async () => {
  const hours = [-25, -1, 1, 25][Math.floor(Math.random() * 4)] ?? 1
  await clock.set(new Date(Date.now() + hours * 3_600_000).toISOString())
}

/** Returns the classes. Without a clock, omits the clock jumps. */
export function soakClasses(clock: FakeClock | undefined): readonly SoakClass[] {
  return [
    {
      name: 'Redis emptied',
      rows: [honours, fence, plain],
      plan: { ...sizes, faults: { 'Redis emptied': ({ shop }) => shop.backend.empty?.() }, script: repeatLater },
    },
    {
      name: 'process paused beyond the lease',
      rows: [...soakShops, reconcile],
      safe: soakShops,
      plan: { ...sizes, timeoutMs: 2000, rounds: 5, faults: { 'paused beyond the lease': pauseProcess(8000, 10_000) } },
    },
    {
      name: 'process paused beyond the window',
      rows: [postgres, ownPostgres, honours],
      plan: {
        ...sizes,
        windowMs: 1000,
        rounds: 5,
        faults: { 'paused beyond the window': pauseProcess(3000, 4000) },
        script: ({ click }) => click('add beans', undefined, true),
      },
    },
    {
      name: 'late COMMIT followed by another change',
      rows: [postgres, ownPostgres],
      plan: { ...sizes, customersEach: 1, faults: { 'late COMMIT': () => true }, script: changeAfterCommit },
    },
    ...(clock === undefined ? [] : [clock]).map((each) => ({
      name: 'clock jump',
      rows: [sqlite, postgres, ownPostgres],
      plan: { ...sizes, faults: { 'clock jump': jump(each) }, script: repeatLater, clock: each },
    })),
  ]
}
