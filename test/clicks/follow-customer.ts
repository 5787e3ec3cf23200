import { expect } from 'vitest'
import type { ClickShop } from './open-shop.ts'
import {
  explainRace,
  initialState,
  isRejected,
  isUnknown,
  type Possible,
  type RecordedRequest,
} from './serial-order.ts'
import type { ClickResponse, ClickHost } from './start-click-host.ts'

/** Checks that some serial order of a customer's requests explains the customer's orders after each request. */
export interface FollowedCustomer {
  /** Sends a request. Returns the request with its response, for `check`. */
  send(host: Pick<ClickHost, 'send'>, call: 'add' | 'undo', key?: string): Promise<RecordedRequest>
  /**
   * Throws unless the responses of concurrent requests explain the customer's orders. If all outcomes are unknown, the
   * requests may still be pending. The next check that has a known outcome or no requests then includes them.
   */
  check(...calls: readonly RecordedRequest[]): Promise<void>
  /** Repeats a request until its outcome is known, and checks the outcome. */
  retry(host: Pick<ClickHost, 'send'>, call: 'add' | 'undo', key?: string): Promise<RecordedRequest>
}

/** Returns whether a response is final, so that a caller does not retry the request. */
function isFinal({ status }: Pick<ClickResponse, 'status'>): boolean {
  return status === 200 || status === 400 || status === 404
}

/** Follows a customer who starts without orders, and adds and undoes only beans. */
export function followCustomer(shop: ClickShop, email: string): FollowedCustomer {
  let states: readonly Possible[] = [initialState]
  let pending: RecordedRequest[] = []
  const history: string[] = []

  const send: FollowedCustomer['send'] = async (host, call, key) => {
    const path = call === 'add' ? '/upsells/add-product' : '/upsells/undo-add-product'
    const response = await host.send(path, { email, product_id: 'beans' }, key)
    return { call, product: 'beans', key, response }
  }
  const check: FollowedCustomer['check'] = async (...calls) => {
    for (const { call, key, response } of calls) {
      history.push(`${call}${key === undefined ? '' : ' with a key'}: ${response.status} ${response.code}`)
      // Several unknown attempts of a click have the same possible effects as one attempt.
      const isRepeated = pending.some((each) => isUnknown(each.response) && each.call === call && each.key === key)
      if (!isRejected(response) && !(isUnknown(response) && isRepeated))
        pending.push({ call, product: 'beans', key, response })
    }
    if (calls.length > 0 && !calls.some(({ response }) => isFinal(response))) return
    const orders = await shop.ordersOf(email)
    history.push(`has ${orders.join(' ') || 'nothing'}`)
    states = explainRace(states, pending, orders)
    pending = []
    if (states.length === 0) expect.fail(`No serial order explains this history: ${history.join('; ')}`)
  }
  return {
    send,
    check,
    retry: async (host, call, key) => {
      const deadline = performance.now() + 60_000
      for (;;) {
        const sent = await send(host, call, key)
        await check(sent)
        if (isFinal(sent.response)) return sent
        if (performance.now() > deadline) expect.fail(`The request does not succeed: ${history.join('; ')}`)
        await new Promise((again) => setTimeout(again, 50))
      }
    },
  }
}
