import { addDays, addMonths } from '@storeport/rules'
import { DemoControlError, type DemoControls } from '../src/index.ts'
import type { DemoOrder, TimeRequest } from '../src/protocol.ts'
import { createMemoryStore, type MemoryStore } from '@storeport/store-memory'

type StoreOptions = NonNullable<Parameters<typeof createMemoryStore>[0]>

/** A memory store, with functions outside the API that read its data, move its date and reset it. */
export interface MovableShop {
  readonly store: MemoryStore
  readonly demo: Required<DemoControls>
  /** Returns the shop's date. */
  today(): string
}

/** Creates a shop with a memory store whose date can be moved. */
export function createMovableShop(firstDay: string, options: StoreOptions): MovableShop {
  let day = firstDay
  const store = createMemoryStore({ ...options, now: () => Date.parse(`${day}T12:00:00Z`) })
  const amount = (minor: number) => minor / 100
  const emails = ['subscription', 'cancelled', 'another', 'test'].map((name) => `${name}@example.com`)

  const orders = (): DemoOrder[] =>
    emails
      .flatMap((email) => store.orders(email).map((order) => ({ email, order })))
      .map(({ email, order }) => ({
        id: order.id,
        email,
        kind: order.kind,
        subscriptionId: order.subscription_id,
        status: order.status,
        placedOn: order.placed_on,
        lines: order.lines.map((line) => ({
          productId: line.product_id,
          title: line.title,
          quantity: line.quantity,
          price: amount(line.price_minor),
          oneTime: line.one_time,
        })),
        items: amount(order.items_minor),
        discount: amount(order.discount_minor),
        shipping: amount(order.shipping_minor),
        tax: amount(order.tax_minor),
        total: amount(order.total_minor),
      }))
      .toReversed()

  function dayOf({ to, email }: TimeRequest): string {
    if (to === 'one-month') return addMonths(day, 1)
    const dates = store.account(email)?.subscriptions.flatMap((one) => one.next_billing_date ?? []) ?? []
    const [next] = dates.toSorted()
    const wanted = next === undefined ? undefined : to === 'day-before' ? addDays(next, -1) : next
    if (wanted === undefined || wanted <= day) {
      throw new DemoControlError('date_not_moved', 'There is no next billing ahead to move the date to.')
    }
    return wanted
  }

  return {
    store,
    today: () => day,
    demo: {
      readState: async () => ({
        today: day,
        orders: orders(),
        codeUses: emails.flatMap((email) =>
          (store.account(email)?.discount_uses ?? []).map((use) => ({
            email,
            code: use.code,
            usedOn: use.used_on,
            amount: amount(use.amount_minor),
            orderId: use.order_id,
          })),
        ),
        actionsRun: store.actionsRun
          .map((run) => ({ email: run.email, actionId: run.action_id, runOn: run.run_on }))
          .toReversed(),
      }),
      async moveDate(request) {
        day = dayOf(request)
        const { billed } = await store.billDue()
        return { today: day, billed }
      },
      async reset() {
        // Resets the date first, because the dates in the seed data are relative to the shop's date.
        day = firstDay
        store.reset()
        return { today: day, billed: 0 }
      },
    },
  }
}
