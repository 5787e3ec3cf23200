import type { ClickShop } from './open-shop.ts'
import { products } from './shop.ts'
import { chooseOne } from './create-random.ts'
import type { ClickResponse, ClickHost, ClickPath } from './start-click-host.ts'

/** Counts of acknowledged clicks and their failures. */
export interface Tally {
  clicks: number
  /** Number of requests for these clicks. */
  requests: number
  /** Number of clicks with more than one request. */
  retried: number
  /** Number of clicks without an effect, although a retry was acknowledged. */
  lost: number
  /** Number of clicks with more than one effect, or with an effect after an undo. */
  doubled: number
  /** Number of clicks without an effect, although the first request was acknowledged. */
  swallowed: number
  readonly failures: string[]
}

interface NextClick {
  readonly path: ClickPath
  readonly product_id: string
  readonly key: string | undefined
  /** Expected orders after the click. */
  readonly orders: readonly string[]
}

/**
 * Sends one customer's clicks in sequence. Repeats each click until a host acknowledges it, and then checks the
 * customer's orders. Returns the orders after the last click.
 */
export async function clickRepeatedly(
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
    const send = () => chooseOne(random, hosts()).send(next.path, body, next.key)
    const requests = await repeatUntilAcknowledged(send, random() < 0.1)
    tally.clicks += 1
    tally.requests += requests
    if (requests > 1) tally.retried += 1
    const found = await shop.ordersOf(email)
    compare(found, next.orders, requests, tally, `${email}, click ${number}, ${next.path} ${next.product_id}`)
    orders = found
    last = `${next.path} ${next.product_id}`
  }
  return orders
}

/** Records any difference between the found and the expected orders in the tally. */
export function compare(
  found: readonly string[],
  expected: readonly string[],
  requests: number,
  tally: Tally,
  label: string,
): void {
  if (found.join() === expected.join()) return
  tally.failures.push(`${label}, after ${requests} requests: ${found.join()} instead of ${expected.join()}`)
  const undone = (orders: readonly string[]) => orders.filter((order) => order.startsWith('-')).length
  const isDoubled = found.length > expected.length || undone(found) > undone(expected)
  if (isDoubled) tally.doubled += 1
  else if (requests === 1) tally.swallowed += 1
  else tally.lost += 1
}

/** Returns an add or undo that differs from the previous click, because StorePort replays a repeat. */
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

/**
 * Repeats a request until a host acknowledges it. If `twice` is true, the first attempt sends two concurrent requests.
 * Returns the number of attempts.
 */
async function repeatUntilAcknowledged(send: () => Promise<ClickResponse>, twice: boolean): Promise<number> {
  const deadline = performance.now() + 60_000
  for (let attempts = 1; ; attempts += 1) {
    const responses = await Promise.all(twice && attempts === 1 ? [send(), send()] : [send()])
    if (responses.some(({ status }) => status === 200)) return attempts
    const rejected = responses.find(({ status }) => status >= 400 && status < 500 && status !== 409)
    if (rejected !== undefined) throw new Error(`A valid click was rejected: ${rejected.status} ${rejected.code}`)
    if (performance.now() > deadline) throw new Error(`A click does not succeed: ${JSON.stringify(responses)}`)
    await new Promise((again) => setTimeout(again, 20))
  }
}
