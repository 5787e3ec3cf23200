import { type Ledger, memoryLedger } from '@storeport/core'
import { describe, expect, it, vi } from 'vitest'
import { countCharges, countRenewals, email, openTestShop, type StripeShop, unitsOf, useCard } from './open-shop.ts'
import { postTo } from './post-to.ts'

const path = '/upsells/add-product'
const add = { email, product_id: 'test_54321', quantity: 1, one_time: false }
const second = 1000
const minute = 60_000
const hour = 3_600_000

const units = (shop: StripeShop) => unitsOf(shop, add.product_id)

const isChange = ({ method }: { method: string }) => method === 'POST'

describe('retries of a click that reconcile reports as applied', () => {
  const times = [
    ['10.5 s', 10.5 * second],
    ['11 minutes', 11 * minute],
    ['60 minutes', hour],
    ['23 hours', 23 * hour],
  ] as const
  const cases = times.flatMap(([after, ms]) => [undefined, 'the-click'].map((name) => ({ after, ms, name })))

  it.each(cases)(
    'do not apply the click again, $after after the first attempt (idempotency key: $name)',
    async ({ ms, name }) => {
      const shop = await openTestShop()
      const post = postTo(shop)
      shop.standIn.fail({ kind: 'cut_after', times: 2, matches: isChange })
      expect((await post(path, add, name)).status).toBe(502)
      await shop.pass(ms)
      expect((await post(path, add, name)).status).toBe(200)
      await shop.pass(9 * second)
      expect((await post(path, add, name)).status).toBe(200)
      expect(await units(shop)).toBe(1)
    },
  )

  it('start a new window, after which an unnamed click runs again', async () => {
    const shop = await openTestShop()
    const post = postTo(shop)
    shop.standIn.fail({ kind: 'cut_after', times: 2, matches: isChange })
    await post(path, add)
    await shop.pass(11 * minute)
    await Promise.all([post(path, add), post(path, add)])
    expect(await units(shop)).toBe(1)
    await shop.pass(11 * second)
    expect((await post(path, add)).status).toBe(200)
    expect(await units(shop)).toBe(2)
  })
})

describe('a repeated write of an outcome after a later attempt has started', () => {
  it.each([
    ['unknown', 'cut_after', 502],
    ['rejected', 'rate_limited', 429],
  ] as const)('does not overwrite a later success with the outcome %s', async (_, kind, status) => {
    const shop = await openTestShop()
    const { ledger, hasRepeated, release } = createLosingLedger(shop)
    const post = postTo({ ...shop, ledger })
    shop.standIn.fail({ kind, times: kind === 'cut_after' ? 2 : 1, matches: isChange })
    expect((await post(path, add)).status).toBe(status)
    await vi.waitUntil(hasRepeated, 30_000)
    await shop.pass(20 * second)
    expect((await post(path, add)).status).toBe(200)
    release()
    expect((await post(path, add)).status).toBe(200)
    expect(await units(shop)).toBe(1)
  })
})

describe('a click after the ledger lost its data', () => {
  it('is found by its mark within the window if the click is unnamed and is the latest click', async () => {
    const shop = await openTestShop()
    const other = { ...add, product_id: 'test_67890' }
    expect((await postTo(shop)(path, add)).status).toBe(200)
    await shop.pass(9 * second)
    expect((await postAfterLedgerLoss(shop)(path, add)).status).toBe(200)
    expect(await units(shop)).toBe(1)
    // A repeat that finds the mark does not extend the window of the mark.
    await shop.pass(2 * second)
    expect((await postAfterLedgerLoss(shop)(path, add)).status).toBe(200)
    expect(await units(shop)).toBe(2)
    const post = postAfterLedgerLoss(shop)
    expect((await post(path, other)).status).toBe(200)
    expect((await postAfterLedgerLoss(shop)(path, add)).status).toBe(200)
    expect(await units(shop)).toBe(3)
  })

  it('is found by its mark at any time if the click is named, and an unnamed click does not match the mark', async () => {
    const shop = await openTestShop()
    expect((await postAfterLedgerLoss(shop)(path, add, 'named')).status).toBe(200)
    expect((await postAfterLedgerLoss(shop)(path, add)).status).toBe(200)
    expect(await units(shop)).toBe(2)
    await shop.pass(25 * hour)
    expect((await postAfterLedgerLoss(shop)(path, add, 'named')).status).toBe(200)
    expect((await postAfterLedgerLoss(shop)(path, add, 'another')).status).toBe(200)
    expect(await units(shop)).toBe(3)
  })
})

describe('a failure that Stripe stored', () => {
  it.each([
    ['unnamed', undefined],
    ['named', 'the-click'],
  ])('allows a successful retry after a declined payment (%s click)', async (_, name) => {
    const shop = await openTestShop()
    const post = postTo(shop)
    await useCard(shop, 'pm_card_chargeCustomerFail')
    const send = async () => (await post('/customer-portal/send-now', { email }, name)).status
    expect([await send(), await send()]).toEqual([400, 400])
    await useCard(shop, 'pm_card_visa')
    await shop.pass(5 * second)
    expect([await send(), await send()]).toEqual([200, 200])
    expect(await countCharges(shop)).toBe(1)
  })

  it('allows a successful retry in another process', async () => {
    const shop = await openTestShop()
    await useCard(shop, 'pm_card_chargeCustomerFail')
    expect((await postTo(shop)('/customer-portal/send-now', { email }, 'the-click')).status).toBe(400)
    await useCard(shop, 'pm_card_visa')
    const elsewhere = postTo({ ...shop, store: shop.another() })
    expect((await elsewhere('/customer-portal/send-now', { email }, 'the-click')).status).toBe(200)
    expect(await countCharges(shop)).toBe(1)
  })

  const after = new Map<string, (shop: StripeShop) => Promise<unknown>>([
    [path, units],
    ['/customer-portal/send-now', countCharges],
    ['/reactivate/subscription', countRenewals],
  ])
  const failures = [...after.keys()].flatMap((at) => [undefined, 'the-click'].map((name) => ({ at, name })))

  it.each(failures)(
    'allows a successful retry of $at after a Stripe error (idempotency key: $name)',
    async ({ at, name }) => {
      const shop = await openTestShop()
      const post = postTo(shop)
      const body = {
        [path]: add,
        '/customer-portal/send-now': { email },
        '/reactivate/subscription': { email: 'cancelled@example.com', subscription_id: shop.subscriptions['sub_2003'] },
      }[at]
      const click = async () => (await post(at, body ?? {}, name)).status
      shop.standIn.fail({ kind: 'server_error', times: 2, matches: isChange })
      expect(await click()).toBe(502)
      await shop.pass(30 * second)
      expect(await click()).toBe(502)
      await shop.pass(10 * minute)
      expect(await click()).toBe(200)
      expect(await after.get(at)?.(shop)).toBe(1)
    },
  )
})

/** Creates a function that posts clicks to a new process, whose ledger is empty. */
function postAfterLedgerLoss(shop: StripeShop) {
  return postTo({ ...shop, store: shop.another() })
}

/** Creates a ledger that throws after storing the first outcome. The repeated write waits for a call of `release`. */
function createLosingLedger(shop: StripeShop) {
  const { update } = memoryLedger({ now: () => shop.now().getTime() })
  let changes = 0
  let release: (() => void) | undefined
  const ledger: Ledger = {
    update: (key, change) => {
      changes += 1
      // The first update claims the key, the second stores the outcome, and the third stores the outcome again.
      if (changes === 2) {
        update(key, change)
        throw new Error('The response was lost.')
      }
      if (changes !== 3) return update(key, change)
      return new Promise((resolve) => {
        release = () => resolve(update(key, change))
      })
    },
  }
  return { ledger, hasRepeated: () => release !== undefined, release: () => release?.() }
}
