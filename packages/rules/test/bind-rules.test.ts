import type { CompleteStorePort } from '@storeport/core'
import { allRules, bindRules, findNamed, type RuleCalls, type RuleName, ruleNames, type Rules } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { customer, given, seeded } from './given.ts'
import { contextOf } from '@storeport/testing/clicks'
import { inputs } from '@storeport/testing/samples'

const { email } = customer
const added = { email, product_id: 'test_12345', quantity: 1, one_time: false, discount_code: 'TEST10' }

/** Creates a store that records its calls, such as `change addProduct`. */
function createRecordingStore(rules: Rules = allRules) {
  const notes: string[] = []
  const { account, shop } = seeded('subscription@example.com')
  const calls: RuleCalls = {
    read: async (name, input, _context, rule) => {
      notes.push(`read ${name}`)
      return rule(account, input, shop)
    },
    change: async (name, input, _context, rule) => {
      notes.push(`change ${name}`)
      rule(account, input, shop)
    },
  }
  return { store: bindRules(calls, rules), notes }
}

/** Calls every operation and returns `done` or the error code for each. */
async function callAll(store: Pick<CompleteStorePort, RuleName>) {
  const calls = ruleNames.map((name): [RuleName, Promise<unknown>] => [
    name,
    Reflect.apply(store[name], store, [inputs[name], contextOf()]),
  ])
  const outcomes = await Promise.allSettled(calls.map(([, call]) => call))
  return Object.fromEntries(
    outcomes.map((outcome, at) => [ruleNames[at], outcome.status === 'fulfilled' ? 'done' : outcome.reason.code]),
  )
}

describe('bindRules', () => {
  it('calls read or change with the endpoint name', async () => {
    const { store, notes } = createRecordingStore()
    await callAll(store)
    expect(notes).toEqual([
      'read listProducts',
      'change addProduct',
      'change undoAddProduct',
      'read getSubscription',
      'change sendNow',
      'change delaySubscription',
      'change swapProduct',
      'read listCancelledSubscriptions',
      'change reactivateSubscription',
      'read getDiscount',
    ])
  })

  it('throws customer_not_found for an unknown customer if the rule requires a customer', async () => {
    const { shop } = given({})
    const store = bindRules({
      read: async (_name, input, _context, rule) => rule(undefined, input, shop),
      change: async (_name, input, _context, rule) => void rule(undefined, input, shop),
    })
    const unknown = 'customer_not_found'
    expect(await callAll(store)).toEqual({
      listProducts: 'done',
      addProduct: unknown,
      undoAddProduct: unknown,
      getSubscription: unknown,
      sendNow: unknown,
      delaySubscription: unknown,
      swapProduct: unknown,
      listCancelledSubscriptions: unknown,
      reactivateSubscription: unknown,
      getDiscount: 'done',
    })
  })

  it('calls the rules that its second argument contains', async () => {
    const nothing = { ...allRules, listProducts: () => ({ products: [] }) }
    const { store } = createRecordingStore(nothing)
    expect(await store.listProducts({}, contextOf())).toEqual({ products: [] })
  })
})

describe('bindRules with a due subscription', () => {
  /** Creates a store that exposes its account and counts its saves. */
  function createStore() {
    const { account, shop } = seeded('subscription@example.com', { today: '2026-03-24' })
    const saved = { account, saves: 0 }
    const store = bindRules({
      read: async (_name, input, _context, rule) => rule(saved.account, input, shop),
      change: async (_name, input, _context, rule) => {
        saved.account = rule(saved.account, input, shop)
        saved.saves += 1
      },
    })
    return { store, saved, account }
  }

  it('passes the billed account to a read, and saves nothing', async () => {
    const { store, saved, account } = createStore()
    const shown = await store.getSubscription(customer, contextOf())
    expect(shown).toMatchObject({ next_billing_date: '2026-04-09', items: [{ id: 'test_54321' }] })
    const { products } = await store.listProducts(customer, contextOf())
    expect(products.map(({ id }) => id)).toEqual(['test_12345', 'test_67890'])
    expect(await store.listCancelledSubscriptions(customer, contextOf())).toEqual({ subscriptions: [] })
    expect(saved).toEqual({ account, saves: 0 })
    expect(saved.account).toBe(account)
  })

  it('returns only the discounts that remain after billing', async () => {
    const { store, saved, account } = createStore()
    const { shop } = seeded('subscription@example.com')
    const [subscription] = account.subscriptions
    if (subscription === undefined) throw new Error('The subscription is missing.')
    const single = { ...account, subscriptions: [subscription] }
    saved.account = allRules.addProduct(single, { ...added, discount_code: 'FIVEOFF' }, shop)
    expect(allRules.getSubscription(saved.account, customer, shop)).toMatchObject({ order_discount_total: 10 })
    expect(await store.getSubscription(customer, contextOf())).toMatchObject({ order_discount_total: 5 })
  })

  it('saves the due order together with the change, even if the rule changes nothing', async () => {
    const { store, saved } = createStore()
    await store.delaySubscription({ email, new_date: '2026-04-09' }, contextOf())
    expect(saved.account.orders).toMatchObject([{ subscription_id: 'sub_1001', placed_on: '2026-03-24' }])
    expect(saved.account.last_sent_on).toBe('2026-03-24')
  })

  it('saves nothing if the operation is rejected', async () => {
    const { store, saved, account } = createStore()
    await expect(store.sendNow(customer, contextOf())).rejects.toMatchObject({ code: 'order_already_processing' })
    expect(saved).toEqual({ account, saves: 0 })
  })
})

describe('findNamed', () => {
  it('returns the product and the discount code of an input', () => {
    expect(findNamed('addProduct', added)).toEqual({
      email,
      product_id: 'test_12345',
      discount_code: 'TEST10',
    })
    const { email: whose, new_product_id: product_id, discount_code } = inputs.swapProduct
    expect(findNamed('swapProduct', inputs.swapProduct)).toEqual({ email: whose, product_id, discount_code })
    expect(findNamed('getDiscount', inputs.getDiscount)).toEqual({ discount_code: 'TEST10' })
  })
})
