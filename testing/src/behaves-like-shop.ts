import { type CompleteStorePort, type ErrorCode, StoreError } from '@storeport/core'
import {
  type BillDueOptions,
  type BillDueResult,
  type CustomerAccount,
  type CustomerData,
  type Order,
  seed,
  type ShopActivity,
  type ShopData,
  type ShopOptions,
} from '@storeport/rules'
import { describe, expect, it, vi } from 'vitest'
import { customerOf } from './charges-orders.ts'
import { type Click, click, contextOf, oneOf, send } from './clicks.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const visitor = { email: 'test@example.com' }
const another = { email: 'another@example.com' }

/** Methods of a store that a shop and its tests call directly. */
interface ShopStore extends CompleteStorePort {
  readonly currency: string
  account(email: string): CustomerAccount | undefined | Promise<CustomerAccount | undefined>
  orders(email?: string): readonly Order[] | Promise<readonly Order[]>
  latestActivity(limit?: number): ShopActivity | Promise<ShopActivity>
  billDue(options?: BillDueOptions): Promise<BillDueResult>
}

interface Options extends ShopOptions {
  readonly data?: ShopData
  readonly actions?: Readonly<Record<string, () => void>>
}

/** Defines tests of a store that runs a shop. */
export function behavesLikeShop(open: (options: Options) => ShopStore | Promise<ShopStore>): void {
  it('matches emails case-insensitively and preserves their stored case', async () => {
    const data = { ...seed(today), customers: [{ email: "Some.O'One@Example.com" }] }
    const store = await open({ today, data })
    const add = click('addProduct', { email: "some.o'one@EXAMPLE.com", ...oneOf('test_12345') })
    expect(await send(store, add)).toBe('done')
    expect(await store.orders("SOME.O'ONE@example.com")).toHaveLength(1)
    expect((await store.account("some.o'one@example.com"))?.email).toBe("Some.O'One@Example.com")
  })

  it('limits the total uses of a code by all customers, ignoring undone uses', async () => {
    const discounts = [{ code: 'ONCE', discount_type: 'percentage', discount_percentage: 10, max_uses: 1 } as const]
    const store = await open({ today, data: { ...seed(today), discounts } })
    const add = (customer: { readonly email: string }) =>
      send(store, click('addProduct', { ...customer, ...oneOf('test_12345'), discount_code: 'once' }))
    expect(await add(visitor)).toBe('done')
    expect(await add(another)).toBe('invalid_discount_code')
    const read = store.getDiscount({ discount_code: 'ONCE' }, contextOf())
    await expect(read).rejects.toMatchObject({ code: 'discount_not_found' })
    expect(await send(store, click('undoAddProduct', { ...visitor, product_id: 'test_12345' }))).toBe('done')
    expect(await add(another)).toBe('done')
    expect(await send(store, click('sendNow', another))).toBe('done')
    expect(await add(visitor)).toBe('invalid_discount_code')
  })

  it.each([
    ['JPY', 1995, 1995, 1000],
    ['USD', 19.95, 1995, 10],
    ['KWD', 19.95, 19_950, 10],
    ['CLF', 19.95, 199_500, 10],
  ])('uses the number of decimals of its currency: %s', async (currency, price, minor, discount) => {
    const store = await open({ today, currency })
    expect((await store.listProducts({}, contextOf())).products[0]).toMatchObject({ id: 'test_12345', price })
    expect(await send(store, click('addProduct', { ...visitor, ...oneOf('test_12345') }))).toBe('done')
    expect([store.currency, (await store.orders())[0]?.total_minor]).toEqual([currency, minor])
    const add = click('addProduct', { email, ...oneOf('test_54321'), discount_code: 'FIVEOFF' })
    expect(await send(store, add)).toBe('done')
    expect((await store.getSubscription({ email }, contextOf()))?.order_discount_total).toBe(discount)
  })

  it.each([
    [10, ['sub_2003']],
    [400, ['sub_2003', 'sub_2002', 'sub_2001']],
  ])('lists only subscriptions cancelled within reactivationDays: %d', async (reactivationDays, listed) => {
    const store = await open({ today, reactivationDays })
    const { subscriptions } = await store.listCancelledSubscriptions({ email: 'cancelled@example.com' }, contextOf())
    expect(subscriptions.map(({ subscription_id }) => subscription_id)).toEqual(listed)
  })

  it('returns the latest activity, newest first, up to the limit', async () => {
    const store = await open({ today })
    expect(await store.latestActivity()).toEqual({ orders: [], discount_uses: [], actions_run: [] })
    const add = (discount_code: string) =>
      send(store, click('addProduct', { ...visitor, ...oneOf('test_12345'), discount_code }))
    await add('TEST10')
    await add('FIVEOFF')
    await send(store, click('addProduct', { email, ...oneOf('test_54321'), discount_code: 'TEST20' }))
    await send(store, click('sendNow', another))
    for (const action_id of ['change_to_quarterly', 'claim_discount_10off'])
      await store.runCustomAction({ ...visitor, action_id }, contextOf())

    const activity = await store.latestActivity()
    const { orders, discount_uses, actions_run } = activity
    expect(orders.map((order) => order.email)).toEqual([another.email, visitor.email, visitor.email])
    expect(orders[0]).toMatchObject({ kind: 'subscription', lines: [{ title: 'Hand Grinder', quantity: 3 }] })
    expect(orders.map((order) => order.discount_minor)).toEqual([0, 500, 200])
    expect(discount_uses).toMatchObject([
      { email, code: 'TEST20', percentage: 20, order_id: null },
      { email: visitor.email, code: 'FIVEOFF', amount_minor: 500, order_id: orders[1]?.id },
      { email: visitor.email, code: 'TEST10', percentage: 10, order_id: orders[2]?.id },
    ])
    expect(actions_run).toEqual([
      { email: visitor.email, action_id: 'claim_discount_10off', run_on: today },
      { email: visitor.email, action_id: 'change_to_quarterly', run_on: today },
    ])
    const latest = Object.fromEntries(Object.entries(activity).map(([name, list]) => [name, list.slice(0, 1)]))
    expect(await store.latestActivity(1)).toEqual(latest)

    await send(store, click('undoAddProduct', { ...visitor, product_id: 'test_12345' }))
    const left = await store.latestActivity()
    expect(left.orders.map(({ status }) => status)).toEqual(['processing', 'cancelled', 'open'])
    expect(left.discount_uses.map(({ code }) => code)).toEqual(['TEST20', 'TEST10'])
  })

  describe('runCustomAction', () => {
    it.each(['join_waitlist', 'change_to_quarterly'])(
      'runs the function from the options, even if the data contains the action: %s',
      async (action_id) => {
        const run = vi.fn()
        const store = await open({ today, actions: { [action_id]: run } })
        const [input, context] = [{ ...visitor, action_id }, contextOf()]
        await store.runCustomAction(input, context)
        expect(run).toHaveBeenCalledExactlyOnceWith(input, context)
        expect((await store.latestActivity()).actions_run).toEqual([{ ...input, run_on: today }])
      },
    )
  })

  describe('billDue', () => {
    const start = '2026-01-31'

    /** Opens a shop on the start date. The test can change the date. */
    async function openShop(customers: readonly CustomerData[] = seed(start).customers ?? []) {
      const clock = { today: start }
      const store = await open({ today: () => clock.today, data: { ...seed(start), customers } })
      const dateOf = async (customer: string) =>
        (await store.getSubscription({ email: customer }, contextOf()))?.next_billing_date
      return { clock, store, dateOf }
    }

    it('creates one order for each due subscription and advances the billing date', async () => {
      const { clock, store, dateOf } = await openShop(dueCustomers(start, 7))
      expect(await store.billDue()).toEqual({ billed: 7, more: false })
      expect(await store.billDue()).toEqual({ billed: 0, more: false })
      for (const order of await store.orders()) {
        expect(order).toMatchObject({ kind: 'subscription', status: 'processing', placed_on: start, total_minor: 1995 })
      }
      clock.today = '2026-02-27'
      expect(await store.billDue()).toEqual({ billed: 0, more: false })
      clock.today = '2026-02-28'
      expect(await store.billDue()).toEqual({ billed: 7, more: false })
      const billed = (await store.orders()).map(({ subscription_id }) => subscription_id)
      const ids = Array.from({ length: 14 }, (_, index) => `sub_due_${Math.floor(index / 2)}`)
      expect(billed.toSorted()).toEqual(ids)
      expect(await dateOf('due3@example.com')).toBe('2026-03-31')
    })

    it('bills at most `limit` customers and returns whether more customers may be due', async () => {
      const { store } = await openShop(dueCustomers(start, 5))
      expect(await store.billDue({ limit: 2 })).toMatchObject({ billed: 2, more: true })
      expect(await store.billDue({ limit: 2 })).toMatchObject({ billed: 2, more: true })
      expect(await store.billDue({ limit: 2 })).toEqual({ billed: 1, more: false })
      expect(await store.orders()).toHaveLength(5)
      for (const limit of [0, -1, 1.5, Number.NaN])
        await expect(store.billDue({ limit }), String(limit)).rejects.toThrow(RangeError)
    })

    const dueItem = { id: 'item_due_0', product_id: 'test_12345' }
    const dueDay = '2026-02-02'
    const lines = (...ids: string[]) => ids.map((product_id) => ({ product_id }))
    const due = { email: 'due0@example.com' }
    const swap = { ...due, current_item_id: dueItem.product_id, new_product_id: 'test_67890' }
    it.each<[string, Click, 'done' | ErrorCode, date: string, ordered: readonly string[] | undefined]>([
      ['add', click('addProduct', { ...due, ...oneOf('test_54321') }), 'done', dueDay, ['test_12345', 'test_54321']],
      ['swap', click('swapProduct', swap), 'done', dueDay, ['test_67890']],
      ['delay', click('delaySubscription', { ...due, new_date: '2026-02-03' }), 'done', '2026-02-03', undefined],
      ['today', click('delaySubscription', { ...due, new_date: dueDay }), 'invalid_date', dueDay, ['test_12345']],
      ['send', click('sendNow', due), 'done', '2026-03-02', undefined],
      ['old', click('reactivateSubscription', { ...due, subscription_id: 'sub_old' }), 'done', dueDay, ['test_12345']],
    ])('leaves a due order to the job: %s', async (name, each, outcome, date, ordered) => {
      const [customer] = dueCustomers(start, 1)
      const old = { id: 'sub_old', cancelled_on: start, items: [{ ...dueItem, id: 'item_old' }] }
      const subscriptions = [...(customer?.subscriptions ?? []), old]
      const { clock, store, dateOf } = await openShop([{ email: 'due0@example.com', subscriptions }])
      clock.today = dueDay
      const before = await store.account('due0@example.com')
      expect(await dateOf('due0@example.com')).toBe(dueDay)
      await store.listProducts({ email: 'due0@example.com' }, contextOf())
      expect(await store.account('due0@example.com')).toEqual(before)

      expect(await send(store, each)).toBe(outcome)
      expect(await dateOf('due0@example.com')).toBe(date)
      const sent = name === 'send' ? [{ subscription_id: 'sub_due_0', lines: lines('test_12345') }] : []
      expect(await store.orders()).toMatchObject(sent)
      expect(await store.billDue()).toEqual({ billed: ordered === undefined ? 0 : 1, more: false })
      expect(await store.orders()).toMatchObject(
        ordered === undefined ? sent : [{ subscription_id: 'sub_due_0', lines: lines(...ordered) }],
      )
    })

    it('never shows a skipped date, and bills the first date that is not skipped', async () => {
      const [customer] = dueCustomers('2026-02-01', 1)
      const skipped = ['2026-02-01', '2026-03-01']
      const subscriptions = (customer?.subscriptions ?? []).map((each) => ({ ...each, skipped }))
      const { clock, store, dateOf } = await openShop([{ email, subscriptions }])
      expect(await dateOf(email)).toBe('2026-04-01')
      clock.today = '2026-03-20'
      expect(await store.billDue()).toEqual({ billed: 0, more: false })
      clock.today = '2026-04-02'
      expect(await dateOf(email)).toBe('2026-04-02')
      expect(await store.billDue()).toEqual({ billed: 1, more: false })
      expect(await dateOf(email)).toBe('2026-05-01')
    })
  })

  it('rejects an unknown customer when it reads orders', async () => {
    const store = await open({ today })
    expect(await store.orders(another.email)).toEqual([])
    await expect(async () => store.orders('nobody@example.com')).rejects.toThrow(StoreError)
    expect(await store.account('nobody@example.com')).toBeUndefined()
  })
}

/** Returns customers with one subscription each, due on the given date. */
export function dueCustomers(date: string, count: number): readonly CustomerData[] {
  return Array.from({ length: count }, (_, index) => customerOf(`due${index}`, [`sub_due_${index}`, date]))
}
