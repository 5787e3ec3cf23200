import { setTimeout as pause } from 'node:timers/promises'
import type { FakeClock } from '@storeport/testing/fake-clock'
import { type Change, emailOf, isSubscriber } from './backends.ts'
import { chooseHost, type Fault, faultsOf, type RunningShop } from './faults.ts'
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

export interface Customer {
  readonly email: string
  readonly running: RunningShop
  /** The changes of `clickThrough`. */
  readonly changes: readonly Change[]
  /**
   * Sends a click to either process until an answer arrives. Returns false if the outcome stays unknown. A double click
   * sends two equal requests 2 ms apart.
   */
  click(change: Change, name: string | undefined, isDouble?: boolean): Promise<boolean>
  /** Sends the last click again. */
  repeat(): Promise<boolean>
}

/** Result of a soak. `lost` and `doubled` contain the details of clicks without an effect, and with more than one. */
export interface Tally {
  clicks: number
  /** Clicks whose outcome stayed unknown. */
  unknown: number
  readonly faults: Record<string, number>
  readonly lost: Map<string, string>
  readonly doubled: Map<string, string>
}

interface Sent {
  readonly email: string
  readonly change: Change
  readonly history: string[]
  clicks: number
  told: number
}

/** Time after which a customer repeats a named click although the first request may still run. */
const patienceMs = 3000

/** Changes of a customer of store-sql with a subscription, and of all other customers. */
const subscriberChanges = ['send now', 'gift'] as const
const allChanges = ['add beans', 'undo beans', 'add beans', 'gift'] as const

/** Makes all changes of a customer; some twice, some with a name. */
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
  const { rounds, customersEach, script = clickThrough, firstFault = 0, clock } = plan
  // The other scripts only add, so their customers have no subscription.
  const every = script === clickThrough ? 1 : 4
  const open = () => openShop(row, { customers: every * rounds * customersEach, env: clock?.env ?? {}, ...plan })
  const shop = await (clock === undefined ? open() : clock.startUnder(open))
  const hosts: RunningShop['hosts'] = [await shop.start(), await shop.start()]
  const faults = Object.entries(plan.faults ?? faultsOf(shop))
  const sent = new Map<string, Sent>()
  const found = { lost: new Map<string, string>(), doubled: new Map<string, string>() }
  const tally: Tally = { clicks: 0, unknown: 0, faults: {}, ...found }

  /** Compares the effects of a customer's clicks with the answers. */
  async function check({ email, change, clicks, told, history }: Sent): Promise<void> {
    const effects = await shop.effects(email, change)
    const details = `${email} ${change}: ${told} of ${clicks} answered, effects ${effects.join(' and ')}; ${history.join(', ')}`
    if (Math.min(...effects) < told) tally.lost.set(`${email} ${change}`, details)
    if (Math.max(...effects) > clicks) tally.doubled.set(`${email} ${change}`, details)
  }

  function createCustomer(number: number, running: RunningShop): Customer {
    const email = emailOf(number)
    const history: string[] = []
    let resend = async () => true
    const sendUntilAnswered = (change: Change, name: string | undefined): Promise<boolean> => {
      // A late unnamed request would be a new click after the customer's next click.
      const patience = name === undefined ? undefined : patienceMs
      let unknown = 0
      const attempt = async () => {
        const host = chooseHost()
        const { status, retryAfter } = await send(hosts[host].url, { email, change, name }, patience)
        history.push(`${change}${name === undefined ? '' : ' named'} at ${host}: ${status} at ${performance.now()} ms`)
        unknown = status === 503 && retryAfter === '30' ? unknown + 1 : 0
        if (unknown === 3 && row.platform === 'plain') return false
        return status === 200 || undefined
      }
      return repeatUntil(attempt, () => `${row.kind}, ${row.storage}: ${history.join()}\n${hosts[0].log()}`)
    }
    return {
      email,
      running,
      changes: row.kind === 'store-sql' && isSubscriber(number) ? subscriberChanges : allChanges,
      click: async (change, name, isDouble = false) => {
        const record = sent.get(`${email} ${change}`) ?? { email, change, history, clicks: 0, told: 0 }
        sent.set(`${email} ${change}`, record)
        record.clicks += 1
        tally.clicks += 1
        const halves = [sendUntilAnswered(change, name)]
        if (isDouble) halves.push(pause(2).then(() => sendUntilAnswered(change, name)))
        const isTold = (await Promise.all(halves)).some(Boolean)
        if (isTold) record.told += 1
        else tally.unknown += 1
        await check(record)
        resend = async () => {
          const isRepeated = await sendUntilAnswered(change, name)
          await check(record)
          return isRepeated
        }
        return isTold
      },
      repeat: () => resend(),
    }
  }

  try {
    for (const round of numbers(rounds)) {
      const start = Math.floor((Math.random() * customersEach) / 2)
      let end = (): void => {}
      const idle = new Promise<void>((resolve) => {
        end = resolve
      })
      const running: RunningShop = { shop, hosts, idle }
      const [name, inject] = faults[(round + firstFault) % faults.length] ?? ['none', () => false]
      const injectFault = async () => {
        if ((await inject(running)) !== false) tally.faults[name] = (tally.faults[name] ?? 0) + 1
      }
      let injecting: Promise<void> | undefined
      await runConcurrently(numbers(customersEach), 16, async (number) => {
        if (number === start) injecting = injectFault()
        await script(createCustomer(every * (round * customersEach + number), running))
      }).finally(end)
      await injecting
    }
    // Requests that a process still runs end before the last count.
    for (const host of hosts) await host.kill()
    for (const each of sent.values()) await check(each)
    return tally
  } finally {
    for (const host of hosts) await host.kill()
    await shop.stop()
  }
}
