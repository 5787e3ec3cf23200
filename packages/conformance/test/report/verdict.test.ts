import type { EndpointName, StorePort } from '@storeport/core'
import { seed } from '@storeport/rules'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { parseProfile, type RunOptions, seedProfile, sendTo } from '../../src/index.ts'
import { exitCodeOf, exitCodes } from '../../src/report/create-report.ts'
import { apiKey, createShop, reportOf, shopThat, testsOf } from '../shop.ts'

type ShopOptions = Parameters<typeof createShop>[0]

/** Returns a `Send` to a shop with seed data that offers only the named endpoints. */
function shopOf(names: readonly EndpointName[], options: ShopOptions = {}): RunOptions['send'] {
  const store = Object.entries(createMemoryStore()).filter(([name]) => names.some((offered) => offered === name))
  return sendTo(createShop({ ...options, store: Object.fromEntries(store) }))
}

/** Returns a `Send` to a shop in which a method throws an exception. */
function shopThatFails(method: keyof StorePort, options: ShopOptions = {}): RunOptions['send'] {
  const store = { ...createMemoryStore(), [method]: () => Promise.reject(new Error('x')) }
  return sendTo(createShop({ ...options, store, onError: () => {} }))
}

const unprotected = () => sendTo(createShop({ retries: false }))
const upsells = ['listProducts', 'addProduct'] as const

it('maps each verdict to an exit code', () => {
  const counts = { passed: 1, failed: 0, warnings: 0, skipped: 0 }
  for (const verdict of ['READY', 'READ-ONLY: NO FAILURES', null] as const)
    expect(exitCodeOf({ verdict, counts })).toBe(0)
  expect(exitCodes).toMatchObject({ 'NOT CONFORMING': 1, 'NOT CHECKED': 2, INCOMPLETE: 3, 'CONFORMS, NOT READY': 4 })
})

it.each<{ names: readonly EndpointName[]; isSafe?: boolean; clicks?: string }>([
  { names: upsells, clicks: 'No check could count the effects of repeated clicks: addProduct.' },
  { names: [...upsells, 'undoAddProduct'], clicks: 'addProduct 44 (99 %), undoAddProduct 44 (99 %).' },
  { names: ['getSubscription'], isSafe: true },
  { names: ['getSubscription', 'delaySubscription'] },
  // An order of the same day is rejected without the retry guard too.
  { names: ['getSubscription', 'sendNow'], isSafe: true },
  { names: ['getSubscription', 'swapProduct', ...upsells] },
  { names: ['listCancelledSubscriptions', 'reactivateSubscription'] },
  { names: ['runCustomAction'] },
  { names: ['getDiscount'], isSafe: true },
])(
  'is READY only with the retry guard for a correct shop that offers $names',
  async ({ names, isSafe, clicks = '' }) => {
    const report = await reportOf({ send: shopOf(names) })
    expect(report.musts).toMatchObject({ failed: [], untested: [], held: report.musts.all })
    expect(report).toMatchObject({ verdict: 'READY', counts: { failed: 0, warnings: 0 } })
    expect(report.sentences.filter((sentence) => sentence.includes('epeated clicks')).join('\n')).toContain(clicks)
    if (names.includes('undoAddProduct')) expect(report.sentences.join()).not.toContain('was added')
    if (isSafe === true) return
    expect((await reportOf({ send: shopOf(names, { retries: false }) })).verdict).toBe('CONFORMS, NOT READY')
  },
)

const withoutCustomers = { ...seedProfile, customers: { unknown: 'a@b.example' } }

it.each<[what: string, verdict: string | null, options: Partial<RunOptions>]>([
  ['a read-only run', 'READ-ONLY: NO FAILURES', { mode: 'read-only' }],
  ['a shop without endpoints', 'NOT CHECKED', { offered: [], mode: 'read-only' }],
  ['a failed must', 'NOT CONFORMING', { send: shopThatFails('getDiscount'), profile: withoutCustomers }],
  ['selected checks', null, { send: shopThatFails('getDiscount'), only: ['getDiscount'] }],
  [
    'a failed must and a risk',
    'NOT CONFORMING',
    { send: shopThatFails('getDiscount', { retries: false }), layer: 'wire' },
  ],
  [
    'a risk and an untested must',
    'CONFORMS, NOT READY',
    { send: unprotected(), profile: { ...seedProfile, actions: { unknown: 'x' } }, layer: 'wire' },
  ],
])('has the verdict for %s: %s', async (_what, verdict, options) => {
  expect((await reportOf(options)).verdict).toBe(verdict)
})

describe('INCOMPLETE', { timeout: 240_000 }, () => {
  it('lists the untested requirements and the required options', async () => {
    const report = await reportOf({ send: shopOf(['runCustomAction', ...upsells]), profile: parseProfile({}) })
    expect(report.verdict).toBe('INCOMPLETE')
    const remedies = Object.fromEntries(report.musts.untested.map((must) => [must.id, must.remedy]))
    const ids = ['ACTION-1', 'ADD-1', 'ADD-3', 'CUSTOMER-3', 'JSON-2', 'PRODUCTS-4', 'RETRY-5', 'RETRY-6']
    expect(Object.keys(remedies).toSorted()).toEqual(ids)
    expect(remedies['ADD-1']).toMatch(/^--customer EMAIL, [^-]*$/)
    expect(remedies['ACTION-1']).toMatch(/^--customer EMAIL, .* and --action ID, /)
    expect(report.sentences).toContain(`Specified requirements and risks: ${report.musts.held} passed, 8 not tested.`)
  })

  it('needs only one customer of a shop with sendNow and without delays', async () => {
    const profile = parseProfile({ customers: { subscribed: seedProfile.customers.subscribed } })
    const { musts } = await reportOf({ send: shopOf(['getSubscription', 'sendNow']), profile, only: ['sendNow'] })
    expect(musts.untested.filter(({ id }) => id.startsWith('SEND-'))).toEqual([])
  })

  it('suggests another run tomorrow if the data of sendNow is used up', async () => {
    // Disables the retry guard, which would treat an immediate repeat as the same click.
    const send = shopOf(['getSubscription', 'sendNow'], { retries: false })
    expect((await reportOf({ send })).verdict).toBe('READY')
    const again = await reportOf({ send })
    expect(again.verdict).toBe('INCOMPLETE')
    expect(again.musts.untested).toMatchObject([
      { id: 'JSON-2' },
      { id: 'SEND-1', remedy: expect.stringContaining('tomorrow') },
      { id: 'SEND-3' },
    ])
  })

  it('is the verdict if a risk cannot be tested', async () => {
    const report = await reportOf({ unsupported: ['retries'], layer: 'wire' })
    expect(report.verdict).toBe('INCOMPLETE')
    expect(report.musts.untested.map(({ id }) => id)).toContain('RETRY-4')
  })
})

it("suggests a complete run if none of a requirement's checks ran", async () => {
  const { musts, sentences } = await reportOf(
    { layer: 'wire', only: ['AUTH-1'] },
    { only: [], problem: 'the run was interrupted' },
  )
  const remedies = new Set(musts.untested.map(({ reason, remedy }) => `${reason}: ${remedy}`))
  expect([...remedies]).toEqual(['none of its checks ran: a complete run of its checks'])
  expect(sentences.join()).not.toContain('a run of all checks')
})

describe('CONFORMS, NOT READY', { timeout: 240_000 }, () => {
  it('is the verdict if repeated clicks take effect twice', async () => {
    const report = await reportOf({ send: unprotected() })
    expect(exitCodeOf(report)).toBe(4)
    expect(report.risks[0]).toMatchObject({ risk: 'A click takes effect twice.' })
    expect(report.risks[0]?.requirements).toContain('RETRY-1')
    expect(report.sentences.filter((sentence) => sentence.startsWith('A click takes effect twice.'))).toHaveLength(1)
  })

  it('is the verdict of a read-only run that finds a stack trace', async () => {
    const send = shopThat(async (response) => {
      const text = await response.text()
      return new Response(text.replace('"message":"', '"message":"Error at /srv/shop.js:10:4. '), response)
    })
    const report = await reportOf({ send, mode: 'read-only' })
    expect(report).toMatchObject({ verdict: 'CONFORMS, NOT READY', risks: [{ requirements: ['ERROR-4'] }] })
  })

  it('names a server error instead of a click that takes effect twice', async () => {
    const { risks } = await reportOf({ send: shopThatFails('delaySubscription'), only: ['delaySubscription'] })
    expect(risks.map(({ risk }) => risk)).toEqual(['A request causes a server error.'])
  })
})

it('reports the number of repeated clicks and the probability of finding a defect', async () => {
  const only = ['retries', 'addProduct', 'swapProduct', 'sendNow', 'delaySubscription', 'reactivateSubscription']
  const { trials, sentences } = await reportOf({ only: [...only, 'runCustomAction'] })
  const found = Object.fromEntries(trials.map((one) => [one.endpoint, one]))
  expect(found['addProduct']?.trials).toBeGreaterThanOrEqual(44)
  expect(found['undoAddProduct']?.probability).toBeGreaterThan(0.99)
  expect(found['swapProduct']?.trials).toBeGreaterThanOrEqual(44)
  expect(found['sendNow']).toMatchObject({ trials: 2, probability: expect.closeTo(0.19) })
  for (const name of ['delaySubscription', 'reactivateSubscription', 'runCustomAction'])
    expect(found).toHaveProperty(name)
  expect(sentences.join('\n')).toMatch(/Repeated clicks, .*: addProduct \d+ \(99 %\)/)
})

it('repeats the order of each further customer of the profile', async () => {
  const today = '2026-03-10'
  const data = seed(today)
  const email = 'further@more.example'
  const items = [{ id: 'more', product_id: 'test_12345' }]
  const customers = [
    ...data.customers,
    { email, subscriptions: [{ id: 'sub_more', next_billing_date: '2026-04-01', items }] },
  ]
  const send = sendTo(createShop({ store: createMemoryStore({ today, data: { ...data, customers } }) }))
  const profile = { ...seedProfile, today, customers: { ...seedProfile.customers, more: [email] } }
  const report = await reportOf({ send, profile, only: ['sendNow.ships-once-for-a-repeated-click'] })
  expect(report).toMatchObject({ counts: { passed: 1 }, trials: [{ endpoint: 'sendNow', trials: 2 }] })
})

describe('behavesLikeStorePort', () => {
  /** Returns the error message of the test "every must was tested"; `undefined` if the test passes. */
  async function errorOfLastTest(mount: Partial<Parameters<typeof testsOf>[0]>): Promise<string | undefined> {
    const profile = parseProfile({ discounts: { fixed: seedProfile.discounts.fixed } })
    const start = async () => ({ send: shopOf(['runCustomAction', 'getDiscount']), apiKey, profile })
    const thrown = new Map<string, unknown>()
    for (const { name, run } of await testsOf({ start, ...mount }))
      thrown.set(name, await run().catch((error: unknown) => error))
    expect([...thrown.keys()]).toContain('every must was tested')
    const error = thrown.get('every must was tested')
    return error instanceof Error ? error.message : undefined
  }

  it('registers a test that fails if a must was not tested', async () => {
    expect(await errorOfLastTest({})).toMatch(
      /^JSON-2: .*\n(?:RETRY-[56]: .*\n){2}ACTION-1: .* Required: --customer EMAIL, .* and --action ID, /,
    )
  })

  it('ignores requirements that an option excludes', async () => {
    const ofAction = ['runs-a-known-action', 'compares-a-key-with-its-request']
    const ids = [...ofAction, 'finds-customers-only-by-the-complete-address'].map((name) => `runCustomAction.${name}`)
    const skips = Object.fromEntries(ids.map((id) => [id, 'no action is safe to run']))
    expect(await errorOfLastTest({ skips })).toBe(undefined)
    expect(await errorOfLastTest({ only: ['getDiscount'] })).toBe(undefined)
    expect(await errorOfLastTest({ mode: 'read-only' })).toBe(undefined)
  })
})
