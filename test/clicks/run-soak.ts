import { setTimeout as pause } from 'node:timers/promises'
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
  /** Default: all faults of `faultsOf`, in turn. */
  readonly faults?: Readonly<Record<string, Fault>>
  /** Position of the first fault. */
  readonly firstFault?: number
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
  const { rounds, customersEach, timeoutMs, firstFault = 0 } = plan
  const shop = await openShop(row, { customers: rounds * customersEach, timeoutMs })
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

  /** Makes all changes of a customer; some twice, some with a name. */
  async function clickThrough(number: number): Promise<void> {
    const email = emailOf(number)
    const history: string[] = []
    const sendUntilAnswered = (change: Change, name: string | undefined): Promise<boolean> => {
      // A late unnamed request would be a new click after the customer's next click.
      const patience = name === undefined ? undefined : patienceMs
      let unknown = 0
      const attempt = async () => {
        const host = chooseHost()
        const { status, retryAfter } = await send(hosts[host].url, { email, change, name }, patience)
        history.push(`${change}${name === undefined ? '' : ' named'} at ${host}: ${status} at ${performance.now()} ms`)
        unknown = status === 503 && retryAfter === '30' ? unknown + 1 : 0
        // The outcome stays unknown.
        if (unknown === 3 && row.platform === 'plain') return false
        return status === 200 || undefined
      }
      return repeatUntil(attempt, () => `${row.kind}, ${row.storage}: ${history.join()}\n${hosts[0].log()}`)
    }
    for (const change of row.kind === 'store-sql' && isSubscriber(number) ? subscriberChanges : allChanges) {
      const name = Math.random() < 0.5 ? crypto.randomUUID() : undefined
      const record = sent.get(`${email} ${change}`) ?? { email, change, history, clicks: 0, told: 0 }
      sent.set(`${email} ${change}`, record)
      record.clicks += 1
      tally.clicks += 1
      const halves = [sendUntilAnswered(change, name)]
      // A double click sends two equal requests.
      if (Math.random() < 0.4) halves.push(pause(2).then(() => sendUntilAnswered(change, name)))
      const isTold = (await Promise.all(halves)).some(Boolean)
      if (isTold) record.told += 1
      else tally.unknown += 1
      await check(record)
      if (!isTold) return
      const isRepeated = Math.random() >= 0.2 || (await sendUntilAnswered(change, name))
      await check(record)
      if (!isRepeated) return
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
        await clickThrough(round * customersEach + number)
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
