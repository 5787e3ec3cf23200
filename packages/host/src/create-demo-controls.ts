import { isStoreError } from '@storeport/core'
import {
  DemoControlError,
  type DemoControls,
  type DemoSubscription,
  type MovedDate,
  type TimeRequest,
} from '@storeport/playground'
import { addDays, addMonths, type CustomerAccount, seed } from '@storeport/rules'
import { billAll, type BillDue } from './billing.ts'
import type { OpenStore } from './open-store.ts'

/** Customers and products of the seed data. A shop with demo controls has no other customers. */
const { customers, products } = seed('2026-01-01')

/** Returns a customer's subscriptions: active subscriptions by next billing date, then the others. */
function describeSubscriptions(email: string, account: CustomerAccount | undefined): readonly DemoSubscription[] {
  const dateOf = ({ next_billing_date }: DemoSubscription) => next_billing_date ?? '9999-12-31'
  const titleOf = (id: string) => products.find((product) => product.id === id)?.title ?? id
  const described = (account?.subscriptions ?? []).map(({ id, status, next_billing_date, items }) => ({
    ...{ id, email, status, next_billing_date },
    lines: items.map((item) => ({ ...item, title: titleOf(item.product_id) })),
  }))
  return described.toSorted((one, other) => dateOf(one).localeCompare(dateOf(other)))
}

/** Maximum number of years that the shop date can be moved past the initial date. */
const maxYears = 10

const hasOtherData =
  "The database contains data besides the host's seed data. The date was not moved and the seed was not restored."

/** Creates the playground's demo controls for a store with seed data. One date change or reset runs at a time. */
export function createDemoControls(
  { store, testStore, latestActivity, account = async () => undefined, trial, billDue }: OpenStore,
  readToday: () => Promise<string>,
  baseDate: () => string,
): DemoControls {
  let isBusy = false

  async function runExclusively(work: () => Promise<MovedDate>): Promise<MovedDate> {
    if (isBusy)
      throw new DemoControlError('busy', 'The date is being moved or the seed is being restored. Retry in a moment.')
    isBusy = true
    return work().finally(() => (isBusy = false))
  }

  /** Returns the customer's next billing date; throws DemoControlError if the customer has no active subscription. */
  async function readNextBilling(email: string): Promise<string> {
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
    throw new DemoControlError(
      'date_not_moved',
      'This customer has no next billing date. Choose a customer with an active subscription, or move the shop date ahead by one month.',
    )
  }

  return {
    readState:
      latestActivity &&
      (async () => {
        const subscriptions = customers.map(async ({ email }) => describeSubscriptions(email, await account(email)))
        return {
          ...(await latestActivity()),
          today: await readToday(),
          subscriptions: (await Promise.all(subscriptions)).flat(),
        }
      }),
    moveDate:
      trial &&
      ((request) =>
        runExclusively(async () => {
          const today = await readToday()
          const to = await findDate(request, today, readNextBilling)
          if (to > addMonths(baseDate(), maxYears * 12)) {
            throw new DemoControlError(
              'date_not_moved',
              `The date would be more than ${maxYears} years ahead. Reset the shop first.`,
            )
          }
          const outcome = await trial.moveDate(to)
          if (outcome === 'not_alone') throw new DemoControlError('not_own_data', hasOtherData)
          if (outcome === 'not_later') {
            throw new DemoControlError(
              'busy',
              'Another request has moved the date. Reload the page to see the new date.',
            )
          }
          const billed = billDue === undefined ? 0 : await billAllCustomers(billDue)
          return { today: await readToday(), billed }
        })),
    reset:
      trial &&
      (() =>
        runExclusively(async () => {
          if (!(await trial.reset())) throw new DemoControlError('not_own_data', hasOtherData)
          testStore.reset()
          return { today: await readToday(), billed: 0 }
        })),
  }
}

/** Returns the requested date; throws DemoControlError if the date is not after today. */
async function findDate(
  { to, email }: TimeRequest,
  today: string,
  readNextBilling: (email: string) => Promise<string>,
): Promise<string> {
  if (to === 'one-month') return addMonths(today, 1)
  const billing = await readNextBilling(email)
  if (to === 'next-billing' && billing > today) return billing
  if (to === 'day-before' && addDays(billing, -1) > today) return addDays(billing, -1)
  const when = billing > today ? 'tomorrow, so today is already the day before' : 'today'
  throw new DemoControlError('date_not_moved', `The next billing date is ${when}.`)
}

async function billAllCustomers(billDue: BillDue): Promise<number> {
  let orders = 0
  const { signal } = new AbortController()
  const failures = await billAll(billDue, { signal, onBilled: (count) => (orders += count) })
  if (failures.length > 0) {
    const message = `The date was moved, but ${failures.length} customers could not be billed. See the log, or run storeport bill.`
    throw new DemoControlError('not_billed', message)
  }
  return orders
}
