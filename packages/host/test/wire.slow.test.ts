import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it } from 'vitest'
import { key } from './open-host.ts'
import { openProcess } from './open-process.ts'

const email = 'subscription@example.com'
const add = { email, product_id: 'test_54321' }
const success = { status: 200, body: { success: true } }
const error = (status: number, code: string) => ({ status, body: { success: false, error: { code } } })

interface Subscription {
  readonly next_billing_date: string
  readonly items: readonly { readonly id: string; readonly quantity: number }[]
}

/** Starts a host process and returns functions that send requests to its API. */
async function startApi(env: Record<string, string>) {
  const { url } = await openProcess({ STOREPORT_LOG: 'silent', STOREPORT_TODAY: '2026-01-31', ...env })
  const request = async (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) => {
    const sent = { 'x-integration-api-key': key, 'content-type': 'application/json', ...headers }
    const response = await fetch(`${url}/integration${path}`, { ...init, headers: sent })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    request(path, { method: 'POST', body: JSON.stringify(body) }, headers)
  const readSubscription = async (): Promise<Subscription> =>
    (await request(`/customer-portal/subscription?email=${email}`)).body.data
  const quantityOf = async (product: string) =>
    (await readSubscription()).items.find(({ id }) => id === product)?.quantity ?? 0
  return { request, post, readSubscription, quantityOf }
}

describe('dates', () => {
  it('follow STOREPORT_TODAY in every operation', async () => {
    const { request, post, readSubscription } = await startApi({})
    expect((await readSubscription()).next_billing_date).toBe('2026-02-14')
    for (const new_date of ['2026-01-30', '2026-01-31', '2026-02-13', '2026-02-30'])
      expect(await post('/customer-portal/delay', { email, new_date })).toMatchObject(error(400, 'invalid_date'))
    expect(await post('/customer-portal/delay', { email, new_date: '2026-02-14' })).toMatchObject(success)
    expect(await post('/customer-portal/delay', { email, new_date: '2026-02-20' })).toMatchObject(success)
    expect((await readSubscription()).next_billing_date).toBe('2026-02-20')
    expect(await post('/customer-portal/send-now', { email })).toMatchObject(success)
    // One month after 31 January is the last day of February.
    expect((await readSubscription()).next_billing_date).toBe('2026-02-28')
    const cancelled = 'cancelled@example.com'
    const { body } = await request(`/reactivate/cancelled-subscriptions?email=${cancelled}`)
    expect(body.data.subscriptions.map(({ subscription_id }: { subscription_id: string }) => subscription_id)).toEqual([
      'sub_2003',
      'sub_2002',
    ])
    const reactivate = { email: cancelled, subscription_id: 'sub_2003' }
    expect(await post('/reactivate/subscription', reactivate)).toMatchObject(success)
    const reactivated = await request(`/customer-portal/subscription?email=${cancelled}`)
    expect(reactivated.body.data.next_billing_date).toBe('2026-02-01')
  })
})

describe('STOREPORT_RETRIES', () => {
  it.each([
    ['on', 1, [success, success]],
    ['off', 2, [success, error(400, 'order_already_processing')]],
  ])('set to %s causes two identical adds to be applied %i time(s)', async (STOREPORT_RETRIES, runs, sent) => {
    const { post, quantityOf } = await startApi({ STOREPORT_RETRIES })
    expect(await post('/upsells/add-product', add)).toMatchObject(success)
    expect(await post('/upsells/add-product', add)).toMatchObject(success)
    expect(await quantityOf('test_54321')).toBe(runs)
    for (const expected of sent) expect(await post('/customer-portal/send-now', { email })).toMatchObject(expected)
  })

  it('set to off lets each undo revert one add', async () => {
    const { post, quantityOf } = await startApi({ STOREPORT_RETRIES: 'off' })
    for (const quantity of [2, 5]) await post('/upsells/add-product', { ...add, quantity })
    for (const quantity of [2, 0]) {
      expect(await post('/upsells/undo-add-product', add)).toMatchObject(success)
      expect(await quantityOf('test_54321')).toBe(quantity)
    }
    expect(await post('/upsells/undo-add-product', add)).toMatchObject(error(404, 'product_not_in_order'))
  })
})

describe('two hosts with one STOREPORT_DATA', () => {
  /** Starts two hosts concurrently on the same new data folder. */
  async function startHosts() {
    const env = { STOREPORT_STORE: 'sqlite', STOREPORT_DATA: await dataFolder() }
    return Promise.all([startApi(env), startApi(env)])
  }

  it('apply a double click once if each host receives one of the two requests', async () => {
    const hosts = await startHosts()
    const [first, second] = hosts
    for (let quantity = 1; quantity <= 10; quantity += 1) {
      const before = await first.quantityOf('test_54321')
      const clicks = hosts.map(({ post }) => post('/upsells/add-product', { ...add, quantity }))
      for (const click of await Promise.all(clicks)) expect(click).toMatchObject(success)
      expect(await second.quantityOf('test_54321')).toBe(before + quantity)
    }
    const named = { 'idempotency-key': 'click-1' }
    expect(await first.post('/upsells/add-product', add, named)).toMatchObject(success)
    const replay = await second.post('/upsells/add-product', add, named)
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(await second.quantityOf('test_54321')).toBe(56)
    const other = await second.post('/upsells/add-product', { ...add, quantity: 9 }, named)
    expect(other).toMatchObject(error(422, 'idempotency_key_reused'))
  })
})
