import { type CompleteStorePort, type ErrorCode, isStoreError } from '@storeport/core'
import {
  bindRules,
  type BoundChange,
  type BoundRule,
  changesOf,
  codeKey,
  type CustomerAccount,
  isAvailable,
  type Order,
  readShopData,
  readShopOptions,
} from '@storeport/rules'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore } from '@storeport/store-sql'
import { expectSoundAccount } from '@storeport/testing/account-invariants'
import { applyChanges } from '@storeport/testing/apply-changes'
import { contextOf } from '@storeport/testing/clicks'
import {
  codes,
  createOracle,
  email,
  oracleData,
  products,
  type Seen,
  type Step,
  today,
} from '@storeport/testing/discount-oracle'
import { fastFolder } from '@storeport/testing/stores/describe-databases'
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const anyProduct = fc.constantFrom(...products)
const maybeCode = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ code: fc.constantFrom(...codes) }) },
)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.record({ product: anyProduct, quantity: fc.integer({ min: 1, max: 4 }), once: fc.boolean() }),
        maybeCode,
      )
      .map(([add, code]): Step => ({ do: 'add', ...add, ...code })),
  },
  { weight: 4, arbitrary: anyProduct.map((product): Step => ({ do: 'undo', product })) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.record({ line: fc.nat({ max: 3 }), product: anyProduct }), maybeCode)
      .map(([swap, code]): Step => ({ do: 'swap', ...swap, ...code })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('old', 'empty', 'active', 'later'), maybeCode)
      .map(([subscription, code]): Step => ({ do: 'reactivate', subscription, ...code })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'send' }) },
)

interface Opened {
  readonly store: CompleteStorePort
  readonly account: () => Promise<CustomerAccount | undefined>
  readonly orders: () => Promise<readonly Order[]>
  readonly close?: () => Promise<void>
}

/** Creates a store that applies the changes of each click to an account in JSON. */
function openRows(hasSubscription: boolean): Opened {
  const { products: catalog, discounts, accounts } = readShopData(oracleData(hasSubscription), 'USD')
  const { createShop } = readShopOptions({ today })
  const rules = bindRules()
  let row = JSON.stringify(accounts[0])
  const load = (): CustomerAccount => JSON.parse(row)
  const shop = () =>
    createShop({
      product: (id) => catalog.find((one) => one.id === id),
      offered: () => catalog.filter(isAvailable),
      discount: (code) => {
        const terms = discounts.find((one) => codeKey(one.code) === codeKey(code))
        return terms && { ...terms, uses: load().discount_uses.filter((use) => use.code === terms.code).length }
      },
    })
  const read =
    <Input, Output>(rule: BoundRule<Input, Output>) =>
    async (input: Input) =>
      rule(rule.named(input).email === email ? load() : undefined, input, shop())
  const change =
    <Input>(rule: BoundChange<Input>) =>
    async (input: Input) => {
      const before = load()
      const after = rule(before, input, shop())
      const applied = applyChanges(before, changesOf(before, after))
      const none = { pending_charge: null }
      expect({ ...none, ...applied }).toEqual({ ...none, ...JSON.parse(JSON.stringify(after)) })
      row = JSON.stringify(applied)
    }
  return {
    store: {
      listProducts: read(rules.listProducts),
      addProduct: change(rules.addProduct),
      undoAddProduct: change(rules.undoAddProduct),
      getSubscription: read(rules.getSubscription),
      sendNow: change(rules.sendNow),
      delaySubscription: change(rules.delaySubscription),
      swapProduct: change(rules.swapProduct),
      listCancelledSubscriptions: read(rules.listCancelledSubscriptions),
      reactivateSubscription: change(rules.reactivateSubscription),
      getDiscount: read(rules.getDiscount),
      runCustomAction: async () => {},
    },
    account: async () => load(),
    orders: async () => load().orders,
  }
}

const folder = mkdtemp(join(fastFolder, 'sp-'))
afterAll(async () => rm(await folder, { recursive: true }))

const stores: Readonly<Record<string, (hasSubscription: boolean) => Promise<Opened>>> = {
  'the memory store': async (hasSubscription) => {
    const store = createMemoryStore({ data: oracleData(hasSubscription), today })
    return { store, account: async () => store.account(email), orders: async () => store.orders(email) }
  },
  'the SQL store': async (hasSubscription) => {
    const data = oracleData(hasSubscription)
    const url = `sqlite:${join(await folder, `${crypto.randomUUID()}.db`)}`
    const store = await openSqlStore({ url, seed: 'if-empty', data, today })
    return {
      store,
      account: () => store.account(email),
      orders: () => store.orders(email),
      close: () => store.close(),
    }
  },
  'a store that writes the changed rows': async (hasSubscription) => openRows(hasSubscription),
}

async function run(store: CompleteStorePort, step: Step, item: string): Promise<'done' | ErrorCode> {
  const code = 'code' in step && step.code !== undefined ? { discount_code: step.code } : {}
  const change = () => {
    switch (step.do) {
      case 'add': {
        const { product, quantity, once } = step
        return store.addProduct({ email, product_id: product, quantity, one_time: once, ...code }, contextOf())
      }
      case 'undo':
        return store.undoAddProduct({ email, product_id: step.product }, contextOf())
      case 'swap':
        return store.swapProduct({ email, current_item_id: item, new_product_id: step.product, ...code }, contextOf())
      case 'reactivate':
        return store.reactivateSubscription({ email, subscription_id: step.subscription, ...code }, contextOf())
      case 'send':
        return store.sendNow({ email }, contextOf())
    }
  }
  return change().then(() => 'done' as const, codeOf)
}

async function see({ store, orders }: Opened): Promise<Seen> {
  const next = await store.getSubscription({ email }, contextOf()).catch((error: unknown) => {
    expect(codeOf(error)).toBe('subscription_not_found')
  })
  const usable = await Promise.all(
    codes.map(async (discount_code) =>
      (await store.getDiscount({ discount_code }, contextOf()).catch(codeOf)) === 'discount_not_found'
        ? []
        : [discount_code],
    ),
  )
  return {
    next: next
      ? {
          items: next.items.map(({ id, quantity }) => `${quantity} ${id}`),
          discount: Math.round((next.order_discount_total ?? 0) * 100),
        }
      : undefined,
    orders: (await orders()).map(({ discount_minor }) => discount_minor),
    usable: usable.flat(),
  }
}

function codeOf(error: unknown): ErrorCode {
  if (isStoreError(error)) return error.code
  throw error
}

it.each(Object.entries(stores))(
  '%s applies codes to units like an independent model',
  { timeout: 120_000 },
  async (_, open) => {
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(anyStep, { minLength: 1, maxLength: 25, size: 'max' }),
        async (has, steps) => {
          const opened = await open(has)
          const oracle = createOracle(has)
          expect(await see(opened)).toEqual(oracle.see())
          for (const step of steps) {
            const item = step.do === 'swap' ? oracle.itemAt(step.line) : ''
            const outcome = oracle.run(step)
            outcomes.add(`${step.do} ${outcome}`)
            expect([step, await run(opened.store, step, item)]).toEqual([step, outcome])
            expect([step, await see(opened)]).toEqual([step, oracle.see()])
            const account = await opened.account()
            if (account !== undefined) expectSoundAccount(account)
          }
          await opened.close?.()
        },
      ),
      { numRuns: 60, seed: 46 },
    )
    // The sequences must use up a code, and succeed with each change.
    const needed = ['add', 'undo', 'swap', 'reactivate', 'send'].map((name) => `${name} done`)
    const rejected = ['add', 'swap', 'reactivate'].map((name) => `${name} invalid_discount_code`)
    expect([...outcomes]).toEqual(expect.arrayContaining([...needed, ...rejected]))
  },
)
