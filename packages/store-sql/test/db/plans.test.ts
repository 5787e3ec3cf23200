import { seedCustomers, type SqlStore } from '@storeport/store-sql'
import Database from 'libsql'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'

await describeDatabases('the query plan', (database) => {
  it('uses an index for every statement', { timeout: 120_000 }, async () => {
    const statements = new Set<string>()
    let isListening = false
    const url = await database.create()
    const store = await database.open({
      ...{ url, today },
      charge: async () => {},
      onStatement: (statement) => isListening && statements.add(statement),
    })
    await seedCustomers(store, { count: 3000, today })
    isListening = true
    await callEverything(store)
    isListening = false
    expect(statements.size).toBeGreaterThan(30)

    const plans = await plansOf(url, [...statements])
    const scans = [...statements].map((statement, index) => ({ statement, plan: plans[index] ?? [] }))
    expect(scans.filter(({ plan }) => plan.some(isScan))).toEqual([])
    const due = scans.filter(({ statement }) => /order by next_billing_date/.test(statement))
    expect(due).toHaveLength(2)
    for (const { plan } of due) expect(plan.join()).toContain('due_subscriptions')
    for (const { plan } of due) expect(plan.join()).not.toMatch(/Sort|TEMP B-TREE/)
  })

  it('loads one order to undo an addition, although many orders can be undone', async () => {
    const statements = new Set<string>()
    let isListening = false
    const url = await database.create()
    const onStatement = (statement: string) => isListening && statements.add(statement)
    const store = await database.open({ url, today, onStatement })
    const customer = { email: 'test@example.com' }
    /** Adds orders, undoes the last of them, and returns the length of the longest account that the store has loaded. */
    const undoLast = async (count: number) => {
      for (let turn = 0; turn < count; turn += 1)
        expect(await send(store, click('addProduct', { ...customer, ...oneOf('test_54321') }))).toBe('done')
      const parse = vi.spyOn(JSON, 'parse')
      isListening = true
      expect(await send(store, click('undoAddProduct', { ...customer, product_id: 'test_54321' }))).toBe('done')
      isListening = false
      const accounts = parse.mock.calls.filter(([text]) => text.includes('last_add'))
      const lengths = accounts.map(([text]) => text.length)
      parse.mockRestore()
      return Math.max(...lengths)
    }
    const [few, many] = [await undoLast(3), await undoLast(200)]
    const open = await store.orders(customer.email, { limit: 1000 })
    expect(open.filter(({ status }) => status === 'open').length).toBe(201)
    // The longer number of the addition adds a few bytes.
    expect(many - few).toBeLessThan(20)

    const plans = (await plansOf(url, [...statements])).map((steps) => steps.join('\n'))
    const plan = plans.find((steps) => steps.includes('open_orders_of_customer')) ?? ''
    // The index contains the product, and its sequence makes a sort of all orders unnecessary.
    expect(plan).toMatch(/customer_id ?= ?[^)]*\)? and \(?added_product_id ?=/i)
    expect(plan).not.toMatch(/Sort Key: last\.|TEMP B-TREE FOR ORDER BY/)
    expect(plans.filter((steps) => /(?<!open_)orders_of_customer|orders_by_status/.test(steps))).toEqual([])
  })
})

it('recognizes a table scan in a query plan', async () => {
  expect(['SCAN items', 'SCAN i', '  ->  Seq Scan on items'].every(isScan)).toBe(true)
  expect(
    ['SCAN products USING INDEX products_offered', 'SCAN json_each', 'SEARCH items USING INDEX'].some(isScan),
  ).toBe(false)
})

/** Returns whether a step of a plan reads every row of a table. */
function isScan(step: string): boolean {
  if (/Seq Scan/.test(step)) return true
  return (
    /\bSCAN\b/.test(step) &&
    !/SCAN (json_each|base"|clock$|clock"|(\d+ )?CONSTANT ROWS?\b|\(subquery)|USING (COVERING )?INDEX|VIRTUAL TABLE/.test(
      step,
    )
  )
}

/** Returns the steps of each statement's plan, without parameter values. */
async function plansOf(url: string, statements: readonly string[]): Promise<string[][]> {
  if (url.startsWith('sqlite:')) {
    const file = new Database(url.slice('sqlite:'.length))
    const steps = (statement: string) =>
      file
        .prepare(`explain query plan ${statement}`)
        .all([])
        .map((step) => JSON.stringify(step))
    const plans = statements.map(steps)
    file.close()
    return plans
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // A new database has no statistics, until PostgreSQL collects them in the background.
  await client.query('analyze')
  // Disables scans, because PostgreSQL prefers scans of small tables even if an index can be used.
  await client.query('set enable_seqscan = off')
  const plans: string[][] = []
  for (const statement of statements) {
    const { rows } = await client.query<Record<string, string>>(`explain (generic_plan) ${statement}`)
    plans.push(rows.map((row) => row['QUERY PLAN'] ?? ''))
  }
  await client.end()
  return plans
}

/** Calls all methods of a store, so that every statement is sent at least once. */
async function callEverything(store: SqlStore): Promise<void> {
  const email = 'subscription@example.com'
  const visitor = 'test@example.com'
  const cancelled = 'cancelled@example.com'
  const done = async (...clicks: ReturnType<typeof click>[]) => {
    for (const each of clicks) expect(await send(store, each)).toBe('done')
  }
  await store.recordClick({
    ...{ time: new Date().toISOString(), operation: 'sendNow', email, input: {}, status: 200, repeat: false },
    ...{ durationMs: 1, requestId: 'request', keyName: '01234567' },
  })
  for (const query of [{ email }, { requestId: 'request' }, { failed: true, since: new Date() }])
    await store.clickRecords(query)
  await store.eraseClickRecords(email)
  await store.listProducts({}, contextOf())
  await store.listProducts({ email }, contextOf())
  await store.getSubscription({ email }, contextOf())
  await store.listCancelledSubscriptions({ email: cancelled }, contextOf())
  await store.getDiscount({ discount_code: 'TEST10' }, contextOf())
  await done(
    click('addProduct', { email, ...oneOf('test_54321'), discount_code: 'TEST10' }),
    click('addProduct', { email, ...oneOf('test_54321'), one_time: true, discount_code: 'FIVEOFF' }),
    click('undoAddProduct', { email, product_id: 'test_54321' }),
    click('swapProduct', {
      email,
      current_item_id: 'test_67890',
      new_product_id: 'test_12345',
      discount_code: 'TEST20',
    }),
    click('delaySubscription', { email, new_date: '2026-03-25' }),
    click('sendNow', { email }),
    click('addProduct', { email: visitor, ...oneOf('test_54321'), discount_code: 'TEST10' }),
    click('undoAddProduct', { email: visitor, product_id: 'test_54321' }),
    click('addProduct', { email: visitor, ...oneOf('test_54321') }),
    click('reactivateSubscription', { email: cancelled, subscription_id: 'sub_2003', discount_code: 'TEST10' }),
  )
  await store.runCustomAction({ email, action_id: 'change_to_quarterly' }, contextOf())
  await store.actionsRun()
  await store.actionsRun(email, { after: 0 })
  const [order] = await store.orders(visitor)
  await store.orders()
  await store.orders(undefined, { status: 'open' })
  await store.orders(email, { status: 'open' })
  await store.markOrder(order?.id ?? '', 'processing')
  await store.markOrder(order?.id ?? '', 'shipped')
  await store.billDue({ after: { date: '', id: '', failed: [] } })
  await store.billDue({ after: { date: today, id: 'customer', failed: [] } })
  await store.isReady()
  await store.ledger.update(`shop:live:${email}`, () => ({ result: undefined, document: { v: 2 } }))
}
