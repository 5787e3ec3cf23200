import { isStoreError, minorUnitDigits } from '@storeport/core'
import {
  BesideRefusal,
  type InsideOrder,
  type MovedDate,
  type ShopBeside,
  type ShopInside,
  type TimeRequest,
} from '@storeport/playground'
import { addDays, addMonths, type ShopActivity, toMajor } from '@storeport/rules'
import { billAll, type BillDue } from './billing.ts'
import type { OpenStore } from './open-store.ts'

/** What is told of the activity of a shop: its amounts as the API has them, in the shop's currency. */
function lookInside(activity: ShopActivity, today: string, currency: string): ShopInside {
  const digits = minorUnitDigits(currency)
  const amount = (minor: number) => toMajor(minor, digits)
  return {
    today,
    orders: activity.orders.map((order): InsideOrder => ({
      id: order.id,
      email: order.email,
      kind: order.kind,
      subscriptionId: order.subscription_id,
      status: order.status,
      placedOn: order.placed_on,
      lines: order.lines.map(({ product_id, title, quantity, price_minor, one_time }) => ({
        productId: product_id,
        title,
        quantity,
        price: amount(price_minor),
        oneTime: one_time,
      })),
      items: amount(order.items_minor),
      discount: amount(order.discount_minor),
      shipping: amount(order.shipping_minor),
      tax: amount(order.tax_minor),
      total: amount(order.total_minor),
    })),
    codeUses: activity.discount_uses.map(({ email, code, used_on, amount_minor, order_id }) => ({
      email,
      code,
      usedOn: used_on,
      amount: amount(amount_minor),
      orderId: order_id,
    })),
    actionsRun: activity.actions_run.map(({ email, action_id, run_on }) => ({
      email,
      actionId: action_id,
      runOn: run_on,
    })),
  }
}

/** How far ahead the date may be moved from where it is, and from where it was, in years. */
const mostYears = 10

const notAlone =
  'This database holds other data than the seed of the host by now: its date stays, and the seed is not put back.'

/** What the playground may do to the host's own seed besides calling its API; one thing at a time. */
export function createBeside(
  { store, latestActivity, trial, billDue }: OpenStore,
  readToday: () => Promise<string>,
  currency: string,
  unmoved: () => string,
): ShopBeside {
  let isBusy = false

  async function takeTurn(work: () => Promise<MovedDate>): Promise<MovedDate> {
    if (isBusy) throw new BesideRefusal('busy', 'The date is being moved, or the seed put back: try again in a moment.')
    isBusy = true
    return work().finally(() => (isBusy = false))
  }

  /** The billing date that the customer sees; throws BesideRefusal for one who has none. */
  async function nextBillingOf(email: string): Promise<string> {
    const context = {
      requestId: 'playground',
      signal: AbortSignal.timeout(10_000),
      idempotencyKey: crypto.randomUUID(),
      testMode: false,
    }
    const subscription = await store.getSubscription({ email }, context).catch((error: unknown) => {
      if (isStoreError(error) && error.code.endsWith('_not_found')) return null
      throw error
    })
    if (subscription !== null) return subscription.next_billing_date
    throw new BesideRefusal(
      'date_not_moved',
      'This customer has no next billing: choose a subscriber, or move on by a month.',
    )
  }

  return {
    look: latestActivity && (async () => lookInside(await latestActivity(), await readToday(), currency)),
    moveDate:
      trial &&
      ((request) =>
        takeTurn(async () => {
          const today = await readToday()
          const to = await findDate(request, today, nextBillingOf)
          if (to > addMonths(unmoved(), mostYears * 12)) {
            throw new BesideRefusal(
              'date_not_moved',
              `The date would be more than ${mostYears} years ahead: reset the shop to start again.`,
            )
          }
          const outcome = await trial.moveDate(to)
          if (outcome === 'not_alone') throw new BesideRefusal('not_own_data', notAlone)
          if (outcome === 'not_later') {
            throw new BesideRefusal('busy', 'Somebody else has moved the date meanwhile: look where it is now.')
          }
          const billed = billDue === undefined ? 0 : await billEverybody(billDue)
          return { today: await readToday(), billed }
        })),
    reset:
      trial &&
      (() =>
        takeTurn(async () => {
          if (!(await trial.reset())) throw new BesideRefusal('not_own_data', notAlone)
          return { today: await readToday(), billed: 0 }
        })),
  }
}

/** The date to move to; throws BesideRefusal where that is today, or earlier. */
async function findDate(
  { to, email }: TimeRequest,
  today: string,
  nextBillingOf: (email: string) => Promise<string>,
): Promise<string> {
  if (to === 'one-month') return addMonths(today, 1)
  const billing = await nextBillingOf(email)
  if (to === 'next-billing' && billing > today) return billing
  if (to === 'day-before' && addDays(billing, -1) > today) return addDays(billing, -1)
  const when = billing > today ? 'tomorrow, so that today is the day before it' : 'today already'
  throw new BesideRefusal('date_not_moved', `The next billing is ${when}.`)
}

async function billEverybody(billDue: BillDue): Promise<number> {
  let orders = 0
  const { signal } = new AbortController()
  const failures = await billAll(billDue, { signal, onBilled: (count) => (orders += count) })
  if (failures.length > 0) {
    const message = `The date was moved, but ${failures.length} of the customers could not be billed: the log says why, or run storeport bill.`
    throw new BesideRefusal('not_billed', message)
  }
  return orders
}
