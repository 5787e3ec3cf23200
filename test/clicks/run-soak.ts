import { setTimeout as pause } from 'node:timers/promises'
import type { FakeClock } from '@storeport/testing/fake-clock'
import { type Change, emailOf, isSubscriber } from './backends.ts'
import { type Fault, faultsOf, type RunningShop } from './faults.ts'
import { openShop, repeatUntil, send, type ShopRow } from './open-shop.ts'

export interface SoakPlan {
  /** Each round has one fault. */
  readonly rounds: number
  /** Number of customers who click during a round. */
  readonly customersEach: number
  /** Time limit of a method. The lease is 5 s longer. */
  readonly timeoutMs: number
  readonly windowMs: number
  /** Default: all faults of `faultsOf`, in turn. */
  readonly faults?: Readonly<Record<string, Fault>>
  /** Position of the first fault. */
  readonly firstFault?: number
  /** Default: `clickThrough`. */
  readonly script?: (customer: Customer) => Promise<unknown>
  /** Clock of the processes and of their storage. Default: the system's clock. */
  readonly clock?: FakeClock
}

/** A customer who clicks, and counts the effects. */
export interface Customer {
  readonly running: RunningShop
  /** The changes of `clickThrough`. */
  readonly changes: readonly Change[]
  /**
   * Sends a click to either process until an answer arrives. Returns false if the outcome stays unknown. A double click
   * sends two equal requests 2 ms apart.
   */
  click(change: Change, name: string | undefined, isDouble?: boolean): Promise<boolean>
  /** Sends a click again; default: the last click. */
  repeat(change?: Change): Promise<boolean>
  /** Sends an unnamed click once, to the first process. The customer waits for `timeoutMs`. */
  sendOnce(change: Change, timeoutMs: number): Promise<void>
}

/** Result of a soak. The maps contain the details of each customer and change. */
export interface Tally {
  clicks: number
  requests: number
  /** Clicks whose outcome stayed unknown. */
  unknown: number
  readonly faults: Record<string, number>
  /** Clicks that were answered with 200 and have no effect. */
  readonly lost: Map<string, string>
  /** Clicks with more than one effect. */
  readonly doubled: Map<string, string>
  /** Clicks of `doubled` in a round whose fault did not happen. */
  readonly unmatched: string[]
}

interface Sent {
  readonly email: string
  readonly change: Change
  readonly round: number
  readonly history: string[]
  clicks: number
  told: number
}

const lanes = 16
/** Time after which a customer repeats a named click although the first request may still run. */
const patienceMs = 3000

/** Changes of a customer of store-sql with a subscription, and of all other customers. */
const subscriberChanges = ['send now', 'gift'] as const
const allChanges = ['add beans', 'undo beans', 'add beans', 'gift'] as const

/** All changes of a customer; some twice, some with a name. */
async function clickThrough({ click, repeat, changes }: Customer): Promise<void> {
  for (const change of changes) {
    const name = Math.random() < 0.5 ? crypto.randomUUID() : undefined
    if (!(await click(change, name, Math.random() < 0.4))) return
    if (Math.random() < 0.2 && !(await repeat())) return
  }
}

const numbers = (count: number) => Array(count).keys()

/** Runs a function for each element, with limited concurrency. */
export async function runConcurrently<Element>(
  elements: Iterable<Element>,
  maxConcurrent: number,
  run: (element: Element) => Promise<unknown>,
): Promise<void> {
  const iterator = elements[Symbol.iterator]()
  const runLane = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, runLane))
}

/** Runs clicks and faults against two processes of a shop. */
export async function runSoak(row: ShopRow, plan: SoakPlan): Promise<Tally> {
  const { rounds, customersEach, script = clickThrough, clock } = plan
  // The other scripts only add, so their customers have no subscription.
  const every = script === clickThrough ? 1 : 4
  const open = () => openShop(row, { customers: every * rounds * customersEach, env: clock?.env ?? {}, ...plan })
  const shop = await (clock === undefined ? open() : clock.startUnder(open))
  const hosts = await Promise.all([shop.start(), shop.start()])
  const faults = Object.entries(plan.faults ?? faultsOf(shop))
  const sent = new Map<string, Sent>()
  const found = { lost: new Map<string, string>(), doubled: new Map<string, string>() }
  const tally: Tally = { clicks: 0, requests: 0, unknown: 0, faults: {}, ...found, unmatched: [] }

  /** Compares the effects of a customer's clicks with the answers. */
  async function check({ email, change, clicks, told, history }: Sent): Promise<void> {
    const effects = await shop.effects(email, change)
    const details = `${email} ${change}: ${told} of ${clicks} answered, effects ${effects.join(' and ')}; ${history.join(', ')}`
    if (Math.min(...effects) < told) tally.lost.set(`${email} ${change}`, details)
    if (Math.max(...effects) > clicks) tally.doubled.set(`${email} ${change}`, details)
  }

  function createCustomer(number: number, round: number, running: RunningShop): Customer {
    const email = emailOf(number)
    const history: string[] = []
    const last: { change: Change; name: string | undefined } = { change: 'gift', name: undefined }
    const recordOf = (change: Change, clicks = 1): Sent => {
      const known = sent.get(`${email} ${change}`) ?? { email, change, round, history, clicks: 0, told: 0 }
      sent.set(`${email} ${change}`, known)
      known.clicks += clicks
      tally.clicks += clicks
      return known
    }
    const post = async (host: number, change: Change, name: string | undefined, timeoutMs?: number) => {
      const response = await send(hosts[host]?.url ?? '', { email, change, name }, timeoutMs)
      const time = Math.round(performance.now())
      history.push(`${change}${name === undefined ? '' : ' named'} at ${host}: ${response.status} at ${time} ms`)
      tally.requests += 1
      return response
    }
    const sendUntilAnswered = (change: Change, name: string | undefined): Promise<boolean> => {
      // A late unnamed request would be a new click after the customer's next click.
      const patience = name === undefined ? undefined : patienceMs
      let unknown = 0
      const attempt = async () => {
        const { status, retryAfter } = await post(Math.floor(Math.random() * 2), change, name, patience)
        unknown = status === 503 && retryAfter === '30' ? unknown + 1 : 0
        if (unknown === 3 && row.platform === 'plain') return false
        return status === 200 || undefined
      }
      return repeatUntil(attempt, () => `${row.kind}, ${row.storage}: ${history.join()}\n${hosts[0].log()}`)
    }
    return {
      running,
      changes: row.kind === 'store-sql' && isSubscriber(number) ? subscriberChanges : allChanges,
      click: async (change, name, isDouble = false) => {
        const record = recordOf(change)
        Object.assign(last, { change, name })
        const halves = [sendUntilAnswered(change, name)]
        if (isDouble) halves.push(pause(2).then(() => sendUntilAnswered(change, name)))
        const isTold = (await Promise.all(halves)).some(Boolean)
        if (isTold) record.told += 1
        else tally.unknown += 1
        await check(record)
        return isTold
      },
      repeat: async (change = last.change) => {
        const isTold = await sendUntilAnswered(change, change === last.change ? last.name : undefined)
        await check(recordOf(change, 0))
        return isTold
      },
      sendOnce: async (change, timeoutMs) => {
        recordOf(change)
        await post(0, change, undefined, timeoutMs)
      },
    }
  }

  try {
    const happened = new Set<number>()
    for (const round of numbers(rounds)) {
      const start = Math.floor((Math.random() * customersEach) / 2)
      let end = (): void => {}
      const idle = new Promise<void>((resolve) => {
        end = resolve
      })
      const running: RunningShop = { shop, hosts, idle }
      const [name, inject] = faults[(round + (plan.firstFault ?? 0)) % faults.length] ?? ['', async () => false]
      const injectFault = async () => {
        if (!(await inject(running))) return
        happened.add(round)
        tally.faults[name] = (tally.faults[name] ?? 0) + 1
      }
      let injecting: Promise<void> | undefined
      await runConcurrently(numbers(customersEach), lanes, async (number) => {
        if (number === start) injecting = injectFault()
        await script(createCustomer(every * (round * customersEach + number), round, running))
      }).finally(end)
      await injecting
    }
    // Requests that a process still runs end before the last count.
    for (const host of hosts) await host.kill()
    for (const each of sent.values()) await check(each)
    for (const id of tally.doubled.keys()) if (!happened.has(sent.get(id)?.round ?? -1)) tally.unmatched.push(id)
    return tally
  } finally {
    for (const host of hosts) await host.kill()
    await shop.stop()
  }
}
