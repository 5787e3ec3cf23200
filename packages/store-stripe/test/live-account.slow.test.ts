import { describe, expect, it } from 'vitest'
import { countRenewals, openTestShop } from './open-shop.ts'
import { postTo } from './post-to.ts'

const former = 'cancelled@example.com'

describe('two processes without a shared ledger', () => {
  it('recreate a cancelled subscription once, for a double click and for two clicks in succession', async () => {
    const shop = await openTestShop()
    const body = { email: former, subscription_id: shop.subscriptions['sub_2003'] }
    const processes = [postTo(shop), postTo({ ...shop, store: shop.another() })] as const
    const click = async (post: (typeof processes)[0]) => (await post('/reactivate/subscription', body)).status
    expect(await Promise.all(processes.map(click))).toEqual([200, 200])
    expect(await countRenewals(shop)).toBe(1)
    const third = postTo({ ...shop, store: shop.another() })
    expect(await click(third)).toBe(200)
    await shop.pass(60_000)
    expect(await click(postTo({ ...shop, store: shop.another() }))).toBe(400)
    expect(await countRenewals(shop)).toBe(1)
  })
})
