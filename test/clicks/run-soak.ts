import { setTimeout as pause } from 'node:timers/promises'
import { type Change, emailOf } from './backends.ts'
import { createRandom } from './create-random.ts'
import { type Fault, faultsOf, type RunningShop } from './faults.ts'
import { openShop, send, type ShopRow } from './open-shop.ts'
import { numbers, runConcurrently } from './run-concurrently.ts'

/** Numbers and options of a soak of one shop. */
export interface SoakPlan {
  /** Each round has one fault. */
  readonly rounds: number
  /** Customers who click during a round. */
  readonly customersEach: number
  readonly seed: number
  /** Limit for a method of the store. The lease is 5 s longer. */
  readonly timeoutMs: number
  readonly windowMs: number
  /** Default: all faults of `faultsOf`, in turn. */
  readonly faults?: Readonly<Record<string, Fault>>
  /** Default: `clickThrough`. */
  readonly script?: (customer: Customer) => Promise<unknown>
  readonly env?: Readonly<Record<string, string>>
}

/** A customer who clicks, and counts the effects. */
export interface Customer {
  readonly email: string
  readonly random: () => number
  /** The two processes, and the shop. */
  readonly running: RunningShop
  /**
   * Sends a click until its customer gets an answer, to either process. Returns false if the outcome stays unknown.
   * A double click sends two equal requests 2 ms apart.
   */
  click(change: Change, name: string | undefined, isDouble?: boolean): Promise<boolean>
  /** Sends the last click again. */
  repeat(): Promise<boolean>
  /** Sends a request of a new click to one process, without a repeat. The customer waits for `timeoutMs`. */
  sendOnce(host: number, change: Change, timeoutMs: number): Promise<number>
}

/** Result of a soak. */
export interface Tally {
  clicks: number
  /** Requests that were sent for the clicks. */
  requests: number
  /** Clicks whose outcome stayed unknown. */
  unknown: number
  readonly faults: Record<string, number>
  /** Clicks that were answered with 200 and have no effect. */
  readonly lost: Set<string>
  /** Clicks with more than one effect. */
  readonly doubled: Set<string>
  /** Doubled clicks of customers who were not active during a fault. */
  readonly unmatched: Set<string>
}

const maxConcurrent = 16
/** Time after which a customer repeats a named click although the first request may still run. */
const patienceMs = 3000

/** An add, an undo, the same add again, and a custom action; some twice, some with a name. */
export async function clickThrough({ click, repeat, random }: Customer): Promise<void> {
  for (const change of ['add beans', 'undo beans', 'add beans', 'gift'] as const) {
    const name = random() < 0.5 ? crypto.randomUUID() : undefined
    if (!(await click(change, name, random() < 0.4))) return
    if (random() < 0.2 && !(await repeat())) return
  }
}

/** Runs clicks and faults against two processes of a shop. */
export async function runSoak(row: ShopRow, plan: SoakPlan): Promise<Tally> {
  const { rounds, customersEach, script = clickThrough } = plan
  const random = createRandom(plan.seed)
  const shop = await openShop(row, { customers: rounds * customersEach, ...plan })
  const hosts = await Promise.all([shop.start(), shop.start()])
  const faults = Object.entries(plan.faults ?? faultsOf(shop, true))
  const tally: Tally = {
    clicks: 0,
    requests: 0,
    unknown: 0,
    faults: {},
    lost: new Set(),
    doubled: new Set(),
    unmatched: new Set(),
  }
  const sent = new Map<string, { email: string; change: Change; clicks: number; told: number; round: number }>()

  /** Compares the effects of a customer's clicks with the answers. */
  async function check(id: string): Promise<void> {
    const { email, change, clicks, told } = sent.get(id) ?? { email: '', change: 'gift', clicks: 0, told: 0 }
    const counts = await shop.effects(email, change)
    if (Math.min(...counts) < told) tally.lost.add(id)
    if (Math.max(...counts) > clicks) tally.doubled.add(id)
  }

  function createCustomer(email: string, round: number, running: RunningShop): Customer {
    const choose = createRandom(plan.seed + Number(/\d+/.exec(email)?.[0]))
    let last: { change: Change; name: string | undefined } = { change: 'gift', name: undefined }
    const record = (change: Change) => {
      const id = `${email} ${change}`
      const click = sent.get(id) ?? { email, change, clicks: 0, told: 0, round }
      sent.set(id, click)
      click.clicks += 1
      tally.clicks += 1
      return click
    }
    const post = (host: number, change: Change, name: string | undefined, timeoutMs?: number) => {
      tally.requests += 1
      return send(hosts[host]?.url ?? '', { email, change, name }, timeoutMs)
    }
    const sendUntilAnswered = async (change: Change, name: string | undefined): Promise<boolean> => {
      const endsAt = performance.now() + 180_000
      for (let unknown = 0; ;) {
        const patience = name === undefined ? undefined : patienceMs
        const { status, retryAfter } = await post(Math.floor(choose() * 2), change, name, patience)
        if (status === 200) return true
        unknown = status === 503 && retryAfter === '30' ? unknown + 1 : 0
        if (unknown === 3 && row.platform === 'plain') return false
        if (performance.now() > endsAt) {
          const logs = hosts.map((host) => host.log().slice(-2000)).join('\n')
          throw new Error(`A click is not answered: ${row.kind}, ${row.storage}, ${change}, status ${status}\n${logs}`)
        }
        await pause(50 + choose() * 150)
      }
    }
    const sendBoth = async (change: Change, name: string | undefined, isDouble: boolean) => {
      const halves = [sendUntilAnswered(change, name)]
      if (isDouble) halves.push(pause(2).then(() => sendUntilAnswered(change, name)))
      return (await Promise.all(halves)).every(Boolean)
    }
    return {
      email,
      random: choose,
      running,
      click: async (change, name, isDouble = false) => {
        const click = record(change)
        last = { change, name }
        const isTold = await sendBoth(change, name, isDouble)
        if (isTold) click.told += 1
        else tally.unknown += 1
        await check(`${email} ${change}`)
        return isTold
      },
      repeat: async () => {
        const isTold = await sendBoth(last.change, last.name, false)
        await check(`${email} ${last.change}`)
        return isTold
      },
      sendOnce: async (host, change, timeoutMs) => {
        const click = record(change)
        const { status } = await post(host, change, undefined, timeoutMs)
        if (status === 200) click.told += 1
        return status
      },
    }
  }

  try {
    const happened = new Set<number>()
    for (const round of numbers(rounds)) {
      const start = Math.floor((random() * customersEach) / 2)
      let end = (): void => {}
      const idle = new Promise<void>((resolve) => {
        end = resolve
      })
      const running: RunningShop = { shop, hosts, random, idle }
      const [name, inject] = faults[round % faults.length] ?? ['none', async () => false]
      let injecting: Promise<void> = Promise.resolve()
      const injectFault = async () => {
        if (!(await inject(running))) return
        happened.add(round)
        tally.faults[name] = (tally.faults[name] ?? 0) + 1
      }
      await runConcurrently(numbers(customersEach), maxConcurrent, async (number) => {
        if (number === start) injecting = injectFault()
        await script(createCustomer(emailOf(round * customersEach + number), round, running))
      }).finally(end)
      await injecting
      if (process.env.SOAK_LOG) console.log(row.storage, round, name, tally.clicks, tally.requests, Math.round(performance.now()))
    }
    // Requests that a process still runs end before the last count.
    for (const host of hosts) await host.kill()
    for (const id of sent.keys()) await check(id)
    for (const id of tally.doubled) if (!happened.has(sent.get(id)?.round ?? -1)) tally.unmatched.add(id)
    return tally
  } finally {
    for (const host of hosts) await host.kill()
    await shop.stop()
  }
}
