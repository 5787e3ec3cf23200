import { createIntegration, StoreError, type StorePort } from '@storeport/core'
import {
  type BillDueOptions,
  type BillDueResult,
  type Charge,
  type ChargeOrder,
  type CustomerData,
  type Order,
  seed,
  type ShopData,
} from '@storeport/rules'
import { expect, it } from 'vitest'
import { key, send } from './send.ts'

const start = '2026-03-10'

/** Methods of a store with a `charge` function that the tests call directly. */
interface ChargingStore extends StorePort {
  orders(): readonly Order[] | Promise<readonly Order[]>
  billDue(options?: BillDueOptions): Promise<BillDueResult>
}

/** Opens a store with the given options. */
type OpenStore = (options: {
  readonly today: () => string
  readonly charge: ChargeOrder
  readonly data: ShopData
}) => ChargingStore | Promise<ChargingStore>

/** Defines tests of a store that charges its orders. */
export function chargesOrders(openStore: OpenStore): void {
  /**
   * Opens a store whose clock and charge outcomes a test can set. `sendNow` sends a send-now request over HTTP, and
   * returns the status and error code, or `replayed`.
   */
  async function openShop(customers = seed(start).customers) {
    const charges: Charge[] = []
    const fate: { error: Error | undefined } = { error: undefined }
    const declined = new Set<string | null>()
    const clock = { today: start }
    const store = await openStore({
      today: () => clock.today,
      data: { ...seed(start), customers },
      charge: async (charge) => {
        charges.push(charge)
        if (fate.error !== undefined) throw fate.error
        if (declined.has(charge.order.subscription_id)) throw new StoreError('payment_failed')
        return { id: `payment of ${charge.idempotencyKey}` }
      },
    })
    const integration = createIntegration({ store, apiKeys: [key], scope: 'charges', onError: () => {} })
    const sendNow = async (headers: Record<string, string> = {}) => {
      const sent = { headers, body: { email: 'subscription@example.com' } }
      const { status, headers: received, json } = await send(integration, '/integration/customer-portal/send-now', sent)
      return received.get('idempotency-replayed') === 'true' ? ['replayed'] : [status, json.error?.code]
    }
    return { store, charges, fate, declined, clock, sendNow }
  }

  it('charges the order only once after a double click', async () => {
    const { sendNow, charges, store } = await openShop()
    expect(await Promise.all([sendNow(), sendNow()])).toEqual([[200, undefined], ['replayed']])
    const [order] = await store.orders()
    expect(charges).toMatchObject([{ email: 'subscription@example.com', order: { id: order?.id } }])
    expect(charges[0]?.order.total_minor).toBe(order?.total_minor)
    expect(charges[0]?.idempotencyKey).toBe(order?.id)
    expect(order?.payment).toEqual({ id: `payment of ${order?.id}` })
  })

  it('rejects the request and saves no order if the charge is declined', async () => {
    const { sendNow, charges, fate, clock, store } = await openShop([customerOf('subscription', ['one', '2026-03-12'])])
    fate.error = new StoreError('payment_failed')
    for (const tries of [1, 2, 3, 3]) {
      expect(await sendNow()).toEqual([400, 'payment_failed'])
      expect(charges).toHaveLength(tries)
    }
    expect(await store.orders()).toEqual([])
    fate.error = undefined
    clock.today = '2026-03-11'
    expect(await sendNow()).toEqual([200, undefined])
    expect(new Set(charges.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4)
    fate.error = new StoreError('payment_failed')
    clock.today = '2026-04-11'
    expect(await store.billDue()).toMatchObject({
      billed: 0,
      failures: [{ message: 'A charge was declined (try 1 today).' }],
    })
    fate.error = undefined
    expect(await store.billDue()).toEqual({ billed: 0, more: false })
    clock.today = '2026-04-12'
    expect(await store.billDue()).toEqual({ billed: 1, more: false })
  })

  it.each(['no key', 'a key'])(
    'leaves the charge of a click with %s to its repeats, and later settles it',
    async (name) => {
      const { sendNow, charges, fate, clock, store } = await openShop([
        customerOf('subscription', ['subscription', '2026-03-20']),
        customerOf('due', ['due', start]),
      ])
      const headers: Record<string, string> = name === 'a key' ? { 'Idempotency-Key': 'click-1' } : {}
      fate.error = new StoreError('upstream_error')
      expect(await sendNow(headers)).toEqual([502, 'upstream_error'])
      fate.error = undefined
      // The limit counts only customers with a charge.
      expect(await store.billDue({ limit: 1 })).toEqual({ billed: 1, more: false })
      expect(await sendNow({ 'Idempotency-Key': 'click-2' })).toEqual([503, 'store_unavailable'])
      // A shop without a time settles the charge after the day of the click.
      clock.today = '2026-03-11'
      expect(await store.billDue()).toEqual({ billed: 1, more: false })
      expect(await sendNow(headers)).toEqual(['replayed'])
      const [order, ...others] = (await store.orders()).filter(({ subscription_id }) => subscription_id !== 'due')
      expect(others).toEqual([])
      const keys = charges.filter(({ email }) => !email.startsWith('due')).map(({ idempotencyKey }) => idempotencyKey)
      expect(keys).toEqual([order?.id, order?.id])
    },
  )

  it('tries each customer at most once per billing run, and passes over customers who cannot be billed', async () => {
    const due = { a: ['11', '13'], b: ['12'], c: ['12'], d: ['12'] }
    const customers = Object.entries(due).map(([name, days]) =>
      customerOf(name, ...days.map((day) => [name + day, `2026-03-${day}`] as const)),
    )
    const { charges, declined, clock, store } = await openShop(customers)
    clock.today = '2026-03-15'
    declined.add('a13').add('d12')
    const runs: BillDueResult[] = []
    do runs.push(await store.billDue({ limit: 1, after: runs.at(-1)?.after }))
    while (runs.at(-1)?.more && runs.length < 9)
    expect(charges.map(({ order }) => order.subscription_id).toSorted()).toEqual(['a11', 'a13', 'b12', 'c12', 'd12'])
    expect(runs.flatMap(({ failures = [] }) => failures)).toHaveLength(2)
    expect(runs.reduce((sum, { billed }) => sum + billed, 0)).toBe(3)
    // The job does not try again on the day of a decline.
    expect(await store.billDue({ limit: 1 })).toEqual({ billed: 0, more: false })
    clock.today = '2026-03-16'
    const failures = [expect.any(StoreError), expect.any(StoreError)]
    expect(await store.billDue({ limit: 1 })).toEqual({ billed: 0, more: false, failures })
    declined.clear()
    clock.today = '2026-03-17'
    expect(await store.billDue()).toEqual({ billed: 2, more: false })
  })

  it('tries at most ten times the limit in a call', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `c${String(at).padStart(2, '0')}`)
    const { declined, clock, store } = await openShop(names.map((name) => customerOf(name, [name, '2026-03-12'])))
    clock.today = '2026-03-15'
    for (const name of names) declined.add(name)
    const first = await store.billDue({ limit: 1 })
    expect([first.more, first.failures?.length]).toEqual([true, 10])
    const second = await store.billDue({ limit: 1, after: first.after })
    expect([second.more, second.failures?.length]).toEqual([false, 2])
  })
}

/** Returns a customer with a subscription of one item for each id and billing date. */
export function customerOf(name: string, ...subscriptions: (readonly [id: string, date: string])[]): CustomerData {
  return {
    email: `${name}@example.com`,
    subscriptions: subscriptions.map(([id, next_billing_date]) => ({
      id,
      next_billing_date,
      items: [{ id: `item_${id}`, product_id: 'test_12345' }],
    })),
  }
}
