import { expect } from 'vitest'
import type { ClickShop } from './open-shop.ts'
import { type AnsweredCall, explainRace, nothingDone, type Possible } from './serial-order.ts'
import type { ClickAnswer, ClickHost } from './start-click-host.ts'

/** Follows one customer: after each call there is what some order of their calls explains. */
export interface FollowedCustomer {
  /** Sends a call and returns it with its answer, for `judge`. */
  send(host: ClickHost, call: 'add' | 'undo', key?: string): Promise<AnsweredCall>
  /**
   * Throws unless what the customer has is explained by what was answered to calls that raced. Of calls that all ended
   * without anybody knowing how, one may still be under way: they are judged with the next call that was answered, which
   * waits for them.
   */
  judge(...calls: readonly AnsweredCall[]): Promise<void>
  /** Repeats a call until it is answered with a success or a refusal, as a caller does, and judges it. */
  retry(host: ClickHost, call: 'add' | 'undo', key?: string): Promise<AnsweredCall>
}

/** How a caller takes an answer: as the last word, or as a reason to ask again. */
function isFinal({ status }: Pick<ClickAnswer, 'status'>): boolean {
  return status === 200 || status === 400 || status === 404
}

/** Follows a customer who has done nothing yet; all that they add and undo is beans. */
export function followCustomer(shop: ClickShop, email: string): FollowedCustomer {
  let states: readonly Possible[] = [nothingDone]
  let underWay: readonly AnsweredCall[] = []
  const history: string[] = []

  const send: FollowedCustomer['send'] = async (host, call, key) => {
    const path = call === 'add' ? '/upsells/add-product' : '/upsells/undo-add-product'
    const answer = await host.send(path, { email, product_id: 'beans' }, key)
    return { call, product: 'beans', key, answer }
  }
  const judge: FollowedCustomer['judge'] = async (...calls) => {
    for (const { call, key, answer } of calls)
      history.push(`${call}${key === undefined ? '' : ' with a key'}: ${answer.status} ${answer.code}`)
    underWay = [...underWay, ...calls]
    if (!calls.some(({ answer }) => isFinal(answer))) return
    const orders = await shop.ordersOf(email)
    history.push(`has ${orders.join(' ') || 'nothing'}`)
    states = explainRace(states, underWay, orders)
    underWay = []
    if (states.length === 0) expect.fail(`no order of the calls explains this: ${history.join('; ')}`)
  }
  return {
    send,
    judge,
    retry: async (host, call, key) => {
      const giveUpAt = performance.now() + 30_000
      for (;;) {
        const made = await send(host, call, key)
        await judge(made)
        if (isFinal(made.answer)) return made
        if (performance.now() > giveUpAt) expect.fail(`the call never comes through: ${history.join('; ')}`)
        await new Promise((again) => setTimeout(again, 50))
      }
    },
  }
}
