import { addDays, createIntegration, type ErrorSummary, isStoreError } from '@storeport/core'
import { seed } from '@storeport/rules'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { runSql } from '../run-sql.ts'

const today = '2026-03-10'
const apiKey = 'key-for-operations-1'
const email = 'subscription@example.com'
const visitor = { email: 'test@example.com' }

await describeDatabases('an SQL store', (database) => {
  it('does not list a product whose `max_quantity` is 0, although the column `available` is true', async () => {
    const products = seed(today).products.map((product, index) =>
      index === 0 ? { ...product, available: 0 } : product,
    )
    const store = await database.open({ today, data: { ...seed(today), products } })
    await runSql(store, sql`update products set available = ${true}`)
    const { products: listed } = await store.listProducts({}, contextOf())
    expect(listed.map(({ id }) => id)).toEqual(products.slice(1).map(({ id }) => id))
  })

  it.each<[details: string, product: object, line?: string]>([
    ['{}', { images: [] }],
    ['null', { images: [] }],
    ['[]', { images: [] }],
    ['{"images":null,"description":null,"compare_at_price_minor":null,"max_quantity":null}', { images: [] }],
    [
      '{"images":["//cdn.example/a.jpg","/b.jpg"]}',
      { images: ['https://cdn.example/a.jpg', 'https://shop.example/b.jpg'] },
    ],
    ['{"max_quantity":"3"}', { images: [] }],
    ['{"id":"old","title":"Old","price_minor":1,"available":false}', { images: [] }],
    ['{"images":"a.jpg"}', { images: [] }, 'images is a string, not a list'],
    ['{"images":[5]}', { images: [] }, 'images.0 is a number'],
    ['{"compare_at_price_minor":"1500"}', { images: [] }, 'compare_at_price is a string'],
    ['{"description":["x"]}', { images: [] }, 'description is a list'],
    ['{"max_quantity":1,"compare_at_price_minor":1500}', { images: [], compare_at_price: 15 }],
  ])('serves a product that another program inserted with the details %s', async (details, fields, line) => {
    const store = await database.open({ today, data: seed(today), publicUrl: 'https://shop.example' })
    const insert = sql`insert into products (id, title, price_minor, available, position, details)
      values ('new-1', 'New', 1250, ${true}, 99, ${sql.lit(details)})`
    await runSql(store, insert)
    const lines: string[] = []
    const onError = (_error: unknown, { message }: ErrorSummary) => lines.push(message)
    const { handlers } = createIntegration({ store, apiKeys: [apiKey], onError })
    const headers = { 'X-Integration-API-Key': apiKey }
    const response = await handlers.listProducts(new Request('http://localhost/', { headers }))
    const { data }: { data: { products: unknown[] } } = JSON.parse(await response.text())
    expect(data.products.at(-1)).toEqual({ id: 'new-1', title: 'New', price: 12.5, ...fields })
    expect(lines).toEqual(line === undefined ? [] : [`product new-1: ${line}`])
    await store.addProduct({ ...visitor, product_id: 'new-1', quantity: 1, one_time: false }, contextOf())
  })

  it.each([
    [{ price_minor: null }, 'price_minor must be an integer of at least 0'],
    [{ price_minor: '1995' }, 'price_minor must be an integer of at least 0'],
    [{ price_minor: undefined }, 'price_minor must be an integer of at least 0'],
    [{ quantity: '2' }, 'quantity must be an integer of at least 0'],
    [{ quantity: null }, 'quantity must be an integer of at least 0'],
    [{ one_time: 0 }, 'one_time must be true or false'],
  ])('places no order of an item that another program wrote with %j', async (values, problem) => {
    const store = await database.open({ today })
    const item = { id: 'item_1', product_id: 'test_12345', quantity: 1, price_minor: 1995, one_time: false }
    const items = JSON.stringify([{ ...item, ...values }])
    const write = (date: string) =>
      runSql(store, sql`update subscriptions set items = ${items}, next_billing_date = ${date} where id = 'sub_1001'`)
    await write(addDays(today, 1))
    const message = `subscription_item item_1: ${problem}`
    await expect(store.sendNow({ email }, contextOf())).rejects.toThrow(message)
    await expect(store.getSubscription({ email }, contextOf())).rejects.toThrow(message)
    await write(today)
    expect((await store.billDue()).failures).toEqual([new TypeError(message)])
    expect(await store.orders()).toEqual([])
  })

  it('releases a code whose letter case another program has changed', async () => {
    const store = await database.open({ today })
    const uses = () => store.database.read((db) => db.selectFrom('discounts').select(['code', 'uses']).execute())
    const input = { email, product_id: 'test_12345' }
    await store.addProduct({ ...input, quantity: 1, one_time: false, discount_code: 'TEST10' }, contextOf())
    await runSql(store, sql`update discounts set code = 'Test10' where code = 'TEST10'`)
    expect(await uses()).toContainEqual({ code: 'Test10', uses: 1 })
    await store.undoAddProduct(input, contextOf())
    expect(await uses()).toContainEqual({ code: 'Test10', uses: 0 })
  })

  it.each<[string, dates: readonly [string, string], skipped: readonly string[], shown: string, sent: string]>([
    ['first', ['2026-04-01', '2026-04-15'], ['2026-04-01'], '2026-04-15', 'two'],
    ['past', ['2026-03-05', '2026-03-20'], ['2026-03-05'], '2026-03-20', 'two'],
    ['past, before a due one', ['2026-03-05', '2026-03-08'], ['2026-03-05'], today, 'two'],
    ['later', ['2026-04-01', '2026-04-15'], ['2026-05-01'], '2026-04-01', 'one'],
    ['none', ['2026-03-08', '2026-03-05'], [], today, 'two'],
  ])('charges the shown subscription if another program skips a date: %s', async (_, dates, skipped, shown, sent) => {
    for (const charge of [undefined, async () => 'paid']) {
      const subscriptions = ['one', 'two'].map((id, index) => ({
        ...{ id, next_billing_date: '2026-12-01' },
        items: [{ id: `item_${id}`, product_id: index === 0 ? 'test_12345' : 'test_67890' }],
      }))
      const data = { ...seed(today), customers: [{ ...visitor, subscriptions }] }
      const store = await database.open({ today, data, ...(charge && { charge }) })
      for (const [index, { id }] of subscriptions.entries()) {
        const skips = JSON.stringify(index === 0 ? skipped : [])
        const changes = sql`next_billing_date = ${dates[index]}, skipped = ${skips}`
        await runSql(store, sql`update subscriptions set ${changes} where id = ${id}`)
      }
      const current = await store.getSubscription(visitor, contextOf())
      await store.sendNow(visitor, contextOf())
      const [order] = await store.orders()
      expect([current?.next_billing_date, order?.subscription_id]).toEqual([shown, sent])
      expect(current?.items.map(({ id }) => id)).toEqual(order?.lines.map(({ product_id }) => product_id))
    }
  })

  it("updates only a subscription's changed columns, to preserve its index entries", async () => {
    const statements: string[] = []
    const store = await database.open({ today, onStatement: (statement) => statements.push(statement) })
    const item = async () =>
      (await store.account(email))?.subscriptions.flatMap(({ items }) => items).find(({ id }) => id === 'item_1')
    const before = await item()
    statements.length = 0
    await store.addProduct({ email, product_id: before?.product_id ?? '', quantity: 4, one_time: false }, contextOf())
    const written = statements.filter((statement) => /\bupdate subscriptions\b/.test(statement))
    expect(written).toEqual([expect.stringMatching(/\bupdate subscriptions set items = \S+, adds = \S+\s+where/)])
    expect(await item()).toEqual({ ...before, quantity: (before?.quantity ?? 0) + 4 })
  })

  it('rejects a string that a database would truncate or change', async () => {
    const store = await database.open({ today })
    for (const text of ['test_12345\0', 'test_12345\ud800', '\n']) {
      const calls: Promise<unknown>[] = [
        store.addProduct({ ...visitor, ...oneOf(text) }, contextOf()),
        store.listProducts({ email: `${visitor.email}${text}` }, contextOf()),
        store.getDiscount({ discount_code: text }, contextOf()),
        store.runCustomAction({ ...visitor, action_id: text }, contextOf()),
      ]
      expect(await codesOf(calls)).toEqual(calls.map(() => 'invalid_request'))
    }
    expect(await store.orders()).toEqual([])
  })

  it('stores every valid string unchanged', async () => {
    const id = `it's "50 %" _\\ ${'é😀'.repeat(60)}`
    const data = {
      products: [{ id, title: id, price: 4.5, images: [], description: id }],
      customers: [{ email: visitor.email, recommended: [id] }],
      discounts: [{ code: `ÉTÉ ${id}`, discount_type: 'percentage', discount_percentage: 33.3333 } as const],
      actions: [id],
    }
    const store = await database.open({ today, data })
    const { products } = await store.listProducts(visitor, contextOf())
    expect(products).toEqual([{ id, title: id, price: 4.5, images: [], description: id }])
    const add = click('addProduct', { ...visitor, ...oneOf(id), discount_code: ` été ${id.toUpperCase()} ` })
    expect(await send(store, add)).toBe('done')
    await store.runCustomAction({ ...visitor, action_id: id }, contextOf())
    expect(await store.orders()).toMatchObject([{ lines: [{ product_id: id, title: id }], discount_minor: 150 }])
    expect(await store.actionsRun()).toMatchObject([{ action_id: id }])
  })
})

/** Returns the error codes of rejected calls. */
async function codesOf(calls: readonly Promise<unknown>[]): Promise<unknown[]> {
  const ended = await Promise.allSettled(calls)
  return ended.map((each) => (each.status === 'rejected' && isStoreError(each.reason) ? each.reason.code : each))
}
