import { describe, expect, it } from 'vitest'
import {
  countCharges,
  countRenewals,
  email,
  openTestShop,
  postTo,
  type StripeShop,
  unitsOf,
  useCard,
} from './open-shop.ts'

const path = '/upsells/add-product'
const add = { email, product_id: 'test_54321', quantity: 1, one_time: false }
const second = 1000
const minute = 60_000
const hour = 3_600_000

const units = (shop: StripeShop) => unitsOf(shop, add.product_id)

const isChange = ({ method }: { method: string }) => method === 'POST'

describe('a click after the ledger lost its data', () => {
  it('is found by its mark within the window if the click is unnamed and is the latest click', async () => {
    const shop = await openTestShop()
    const other = { ...add, product_id: 'test_67890' }
    expect((await postTo(shop)(path, add)).status).toBe(200)
    // The new process starts in the second of the mark.
    await shop.pass(0.1 * second)
    expect((await postAfterLedgerLoss(shop)(path, add)).status).toBe(200)
    expect(await units(shop)).toBe(1)
    await shop.pass(8.9 * second)
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
    // The connections of the request after the rejection, which prepares the next attempt, are lost.
    let changes = 0
    shop.standIn.fail({ kind: 'cut_before', times: 2, matches: (request) => isChange(request) && (changes += 1) > 1 })
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
    'keeps the outcome of $at unknown for a day after a Stripe error (key: $name)',
    async ({ at, name }) => {
      const shop = await openTestShop()
      const post = postTo(shop)
      const click = async () => (await post(at, bodyOf(at, shop), name)).status
      shop.standIn.fail({ kind: 'server_error', matches: isChange })
      expect(await click()).toBe(502)
      for (const ms of [30 * second, 10 * minute, 12 * hour]) {
        await shop.pass(ms)
        expect(await click()).toBe(503)
      }
      await shop.pass(12 * hour)
      expect(await click()).toBe(200)
      expect(await after.get(at)?.(shop)).toBe(1)
    },
  )

  it.each(failures)(
    'finds the mark if $at took effect in spite of a Stripe error (key: $name)',
    async ({ at, name }) => {
      const shop = await openTestShop()
      const post = postTo(shop)
      const click = async () => (await post(at, bodyOf(at, shop), name)).status
      shop.standIn.fail({ kind: 'server_error_after', matches: isChange })
      expect(await click()).toBe(502)
      await shop.pass(second)
      expect(await click()).toBe(200)
      expect(await after.get(at)?.(shop)).toBe(1)
    },
  )

  const bodyOf = (at: string, { subscriptions }: StripeShop): object => {
    if (at === path) return add
    if (at === '/customer-portal/send-now') return { email }
    return { email: 'cancelled@example.com', subscription_id: subscriptions['sub_2003'] }
  }
})

/** Creates a function that posts clicks to a new process, whose ledger is empty. */
function postAfterLedgerLoss(shop: StripeShop) {
  return postTo({ ...shop, store: shop.another() })
}
