import { createIntegration, StoreError, type StorePort } from '@storeport/core'
import type { BillDueResult, Charge, ChargeOrder, Order } from '@storeport/rules'
import { expect, it } from 'vitest'

const key = 'a-key-of-the-tests-0001'

/** Methods of a store with a `charge` function that the tests call directly. */
interface ChargingStore extends StorePort {
  orders(): readonly Order[] | Promise<readonly Order[]>
  billDue(): Promise<BillDueResult>
}

/** Opens a store with the example data and the given options. */
type OpenStore = (options: {
  readonly today: () => string
  readonly charge: ChargeOrder
}) => ChargingStore | Promise<ChargingStore>

/** Defines tests of a store that charges its orders. */
export function chargesOrders(openStore: OpenStore): void {
  /**
   * Opens a store whose clock and charge outcomes a test can set. `send` sends a send-now request over HTTP, and
   * returns the status and error code.
   */
  async function openShop() {
    const charges: Charge[] = []
    const fate: { error: Error | undefined } = { error: undefined }
    const clock = { today: '2026-03-10' }
    const store = await openStore({
      today: () => clock.today,
      charge: async (charge) => {
        charges.push(charge)
        if (fate.error !== undefined) throw fate.error
      },
    })
    const integration = createIntegration({ store, apiKeys: [key], scope: 'charges', onError: () => {} })
    const send = async (headers: Record<string, string> = {}) => {
      const response = await integration.fetch(
        new Request('https://shop.example/integration/customer-portal/send-now', {
          method: 'POST',
          headers: { 'x-integration-api-key': key, 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ email: 'subscription@example.com' }),
        }),
      )
      const { error }: { error?: { code: string } } = JSON.parse(await response.text())
      return [response.status, error?.code]
    }
    return { store, charges, fate, clock, send }
  }

  it('charges the order only once after a double click', async () => {
    const { send, charges, store } = await openShop()
    expect(await Promise.all([send(), send()])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    const [order] = await store.orders()
    expect(charges).toMatchObject([{ email: 'subscription@example.com', order: { id: order?.id } }])
    expect(charges[0]?.order.total_minor).toBe(order?.total_minor)
    expect(charges[0]?.idempotencyKey).toBe(order?.id)
  })

  it('rejects the request and saves no order if the charge is declined', async () => {
    const { send, charges, fate, store } = await openShop()
    fate.error = new StoreError('payment_failed')
    expect(await send()).toEqual([400, 'payment_failed'])
    expect(await store.orders()).toEqual([])
    fate.error = undefined
    expect(await send()).toEqual([200, undefined])
    expect(new Set(charges.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
  })

  it('repeats a charge with the same idempotency key if its outcome is unknown', async () => {
    const { send, charges, fate, store } = await openShop()
    fate.error = new StoreError('upstream_error')
    expect(await send({ 'Idempotency-Key': 'click-1' })).toEqual([502, 'upstream_error'])
    fate.error = undefined
    expect(await store.billDue()).toEqual({ billed: 1, more: false })
    const [order] = await store.orders()
    expect(charges.map(({ idempotencyKey }) => idempotencyKey)).toEqual([order?.id, order?.id])
  })

  it("still bills other customers if one customer's charge is declined", async () => {
    const { charges, fate, clock, store } = await openShop()
    clock.today = '2026-06-10'
    fate.error = new StoreError('payment_failed')
    const { billed, failures } = await store.billDue()
    expect([billed, failures?.length]).toEqual([0, charges.length])
    expect(charges.length).toBeGreaterThan(1)
    fate.error = undefined
    await store.billDue()
    expect((await store.orders()).length).toBeGreaterThan(charges.length / 2 - 1)
    expect(await store.billDue()).toEqual({ billed: 0, more: false })
  })
}
