import type { ClickShop } from './open-shop.ts'
import { products } from './shop.ts'
import { chooseOne } from './create-random.ts'
import type { ClickAnswer, ClickHost, ClickPath } from './start-click-host.ts'

/** What became of clicks that were acknowledged. */
export interface Tally {
  /** Clicks that were acknowledged. */
  clicks: number
  /** Calls that it took. */
  calls: number
  /** Clicks that needed more than one. */
  retried: number
  /** Of which nothing is there, though a retry was acknowledged. */
  lost: number
  /** That are there more than once, or are there and were undone. */
  doubled: number
  /** Of which nothing is there, though the first call was acknowledged. */
  swallowed: number
  /** What was wrong, in words. */
  readonly faults: string[]
}

interface NextClick {
  readonly path: ClickPath
  readonly product_id: string
  readonly key: string | undefined
  /** What the customer has afterwards. */
  readonly orders: readonly string[]
}

/**
 * Clicks on for one customer, one click after the other, each repeated until it is acknowledged; counts what is there
 * after each. Returns what there must be at the end.
 */
export async function clickOn(
  shop: ClickShop,
  hosts: () => readonly ClickHost[],
  { email, count, random }: { readonly email: string; readonly count: number; readonly random: () => number },
  tally: Tally,
): Promise<readonly string[]> {
  let orders: readonly string[] = []
  let last = ''
  for (let number = 0; number < count; number += 1) {
    const next = nextClick(orders, last, random)
    const body = { email, product_id: next.product_id }
    const call = () => chooseOne(random, hosts()).send(next.path, body, next.key)
    const calls = await repeatUntilAcknowledged(call, random() < 0.1)
    tally.clicks += 1
    tally.calls += calls
    if (calls > 1) tally.retried += 1
    const found = await shop.ordersOf(email)
    compare(found, next.orders, calls, tally, `${email}, click ${number}, ${next.path} ${next.product_id}`)
    orders = found
    last = `${next.path} ${next.product_id}`
  }
  return orders
}

/** Counts how what was found differs from what must be there. */
export function compare(
  found: readonly string[],
  expected: readonly string[],
  calls: number,
  tally: Tally,
  what: string,
): void {
  if (found.join() === expected.join()) return
  tally.faults.push(`${what}, after ${calls} calls: ${found.join()} instead of ${expected.join()}`)
  const undone = (orders: readonly string[]) => orders.filter((order) => order.startsWith('-')).length
  const isTooMuch = found.length > expected.length || undone(found) > undone(expected)
  if (isTooMuch) tally.doubled += 1
  else if (calls === 1) tally.swallowed += 1
  else tally.lost += 1
}

/** An add or an undo that is not the click before: a repeat of that would be a replay. */
function nextClick(orders: readonly string[], last: string, random: () => number): NextClick {
  const key = random() < 0.5 ? crypto.randomUUID() : undefined
  for (;;) {
    const product_id = chooseOne(random, products)
    const undone = orders.lastIndexOf(product_id)
    const isUndo = undone !== -1 && random() < 0.4
    const path = isUndo ? '/upsells/undo-add-product' : '/upsells/add-product'
    if (`${path} ${product_id}` === last) continue
    const after = isUndo ? orders.with(undone, `-${product_id}`) : [...orders, product_id]
    return { path, product_id, key, orders: after }
  }
}

/** Calls until a call is acknowledged, at first twice at once if wished; returns how many calls that took, those at once being one. */
async function repeatUntilAcknowledged(call: () => Promise<ClickAnswer>, twice: boolean): Promise<number> {
  const giveUpAt = performance.now() + 60_000
  for (let calls = 1; ; calls += 1) {
    const answers = await Promise.all(twice && calls === 1 ? [call(), call()] : [call()])
    if (answers.some(({ status }) => status === 200)) return calls
    const refused = answers.find(({ status }) => status >= 400 && status < 500 && status !== 409)
    if (refused !== undefined) throw new Error(`a click that is right was refused: ${refused.status} ${refused.code}`)
    if (performance.now() > giveUpAt) throw new Error(`a click never comes through: ${JSON.stringify(answers)}`)
    await new Promise((again) => setTimeout(again, 20))
  }
}
