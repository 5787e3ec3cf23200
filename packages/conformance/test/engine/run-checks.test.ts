import { endpointNames } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import {
  checks,
  runChecks,
  type RunOptions,
  seedProfile,
  selectChecks,
  sendTo,
  type CheckResult,
  type RunEvent,
} from '../../src/index.ts'
import {
  apiKey,
  createShop,
  failuresOf,
  readSubscription,
  resultOf,
  runOn,
  secondApiKey,
  shopThat,
  shopWith,
} from '../shop.ts'

describe('selectChecks', () => {
  it('selects checks by mode and layer', () => {
    const modes = (mode: RunOptions['mode']) => [...new Set(selectChecks({ mode }).map((check) => check.mode))]
    expect(modes('read-only')).toEqual(['read-only'])
    expect(modes('default')).toEqual(['read-only', 'write'])
    expect(modes('stress')).toEqual(['read-only', 'write', 'stress'])
    const wireTopics = checks.filter(({ layer }) => layer === 'wire')
    expect(selectChecks({ mode: 'stress', layer: 'wire' })).toEqual(wireTopics)
    expect(selectChecks({ mode: 'stress', explore: { seed: 1, timeMs: 1 } })).toEqual(checks)
    expect(selectChecks({ mode: 'stress' })).toEqual(checks.filter(({ id }) => !id.startsWith('explore.')))
  })

  it('selects at least one successful request for each operation in the wire layer', () => {
    const wire = selectChecks({ mode: 'stress', layer: 'wire' })
    for (const name of endpointNames) {
      const own = wire.filter(({ id }) => id.startsWith(`${name}.`)).flatMap(({ requirements }) => requirements)
      expect(own.join(), name).toMatch(/\bJSON-[12]\b/)
    }
  })

  it('selects checks by id, topic and requirement', () => {
    const only = (word: string) => selectChecks({ mode: 'stress', only: [word] }).map(({ id }) => id)
    expect(only('getDiscount.returns-a-percentage')).toEqual(['getDiscount.returns-a-percentage'])
    expect(only('sendNow').every((id) => id.startsWith('sendNow.'))).toBe(true)
    expect(only('sendNow').length).toBeGreaterThan(5)
    expect(only('EMAIL-7')).toEqual(['emails.preserve-a-plus-in-the-query'])
    expect(only('send')).toEqual([])
  })
})

describe('runChecks', () => {
  it('yields start, check, result and end events in this sequence', async () => {
    const events: RunEvent[] = []
    for await (const event of runChecks({ send: sendTo(createShop()), apiKey, only: ['getDiscount'] })) {
      events.push(event)
    }
    const [start] = events
    const end = events.at(-1)
    if (start?.type !== 'start' || end?.type !== 'end') throw new Error('a run has a start and an end')
    expect(start.offered.length).toBe(11)
    expect(start.checks).toEqual(selectChecks({ only: ['getDiscount'] }))
    const between = start.checks.flatMap(() => ['check', 'result'])
    expect(events.map(({ type }) => type)).toEqual(['start', ...between, 'end'])
    expect(events.flatMap((event) => (event.type === 'result' ? [event.result] : []))).toEqual(end.report.results)
    expect(end.report.results.map(({ check }) => check)).toEqual(start.checks)
    expect(end.report.results.every(({ outcome }) => outcome === 'passed')).toBe(true)
  })

  it('reports each pause, even before the first check', async () => {
    let calls = 0
    const send = shopThat((response) => {
      calls++
      const isTooSoon = calls === 1 || calls === 14
      return isTooSoon ? new Response('{}', { status: 429, headers: { 'Retry-After': '0' } }) : response
    })
    const types: string[] = []
    const onWait = () => types.push('wait')
    for await (const { type } of runChecks({ send, apiKey, only: ['getDiscount.returns-a-percentage'], onWait }))
      types.push(type)
    expect(types).toEqual(['wait', 'start', 'check', 'wait', 'result', 'end'])
  })

  it('sends no more requests after the consumer stops iterating', async () => {
    let calls = 0
    const send = shopThat((response) => {
      calls++
      return response
    })
    for await (const { type } of runChecks({ send, apiKey })) if (type === 'result') break
    const made = calls
    await new Promise((resolve) => setImmediate(resolve))
    expect(calls).toBe(made)
  })

  it(
    'reports no failures for a shop without the retry guard if `retries` is unsupported',
    { timeout: 240_000 },
    async () => {
      let shop = createShop()
      const send = sendTo((request) => shop(request))
      const reset = async () => void (shop = createShop({ retries: false }))
      expect(await failuresOf({ send, reset, secondApiKey, mode: 'stress', unsupported: ['retries'] })).toEqual([])
    },
  )

  it('skips a check because of an option, a missing capability or a missing profile field', async () => {
    const id = 'getDiscount.returns-a-percentage'
    const reasonOf = async (...given: Parameters<typeof resultOf>) => (await resultOf(...given)).reason
    expect(await reasonOf(id, { skips: { [id]: 'not today' } })).toBe('not today')
    expect(await reasonOf('retries.take-effect-once', { unsupported: ['retries'] })).toBe(
      'cannot be tested here: retries',
    )
    expect(await reasonOf('routing.rejects-dots')).toBe('cannot be tested here: raw-path')
    const profile = { ...seedProfile, discounts: { unknown: 'X' } }
    expect(await reasonOf(id, { profile })).toBe('the profile has no discounts.percentage')
    // This check reads the discount code from the profile only after its first request.
    expect(await resultOf('swapProduct.subtracts-a-percentage', { profile })).toMatchObject({
      outcome: 'skipped',
      reason: 'the profile has no discounts.percentage',
      cause: { kind: 'profile', lacks: ['discounts.percentage'] },
    })
  })

  it('skips a check whose data is used up, or fails the check if the shop is fresh', async () => {
    const profile = { ...seedProfile, customers: { ...seedProfile.customers, cancelled: 'test@example.com' } }
    const id = 'reactivateSubscription.activates-the-subscription'
    const left = 'no cancelled subscription is left; to avoid this, set customers.cancelled to a customer'
    const used = await resultOf(id, { profile })
    expect(used).toMatchObject({ outcome: 'skipped', reason: expect.stringContaining(left) })
    const fresh = await resultOf(id, { profile, fresh: true })
    expect(fresh.failure?.received).toContain(left)
    const reset = await resultOf(id, { profile, reset: async () => {} })
    expect(reset.outcome).toBe('failed')
  })

  it('names the checks that used up the data of a skipped check', async () => {
    const first = 'sendNow.bills-again-after-the-interval'
    const second = 'sendNow.runs-once-with-a-key'
    const { results } = await runOn({ only: [first, second] })
    const { reason } = results.find(({ check }) => check.id === second) ?? {}
    expect(reason).toBe(
      `an order was already sent today for this customer (used by ${first}); to avoid this, set customers.otherCustomer to a customer with an active subscription and no order of today`,
    )
  })

  it('takes back an addition whose undo had no effect', async () => {
    let undos = 0
    const shop = createShop()
    const send = sendTo((request) =>
      request.url.includes('undo') && request.headers.has('content-type') && undos++ === 1
        ? Response.json({ success: true })
        : shop(request),
    )
    const before = JSON.parse(await readSubscription(send)).data.items
    const { failure } = await resultOf('retries.take-effect-again-after-another-change', { send })
    expect(failure?.requirement).toBe('RETRY-2')
    expect(JSON.parse(await readSubscription(send)).data.items).toEqual(before)
  })

  it('skips a check if the date changes while the check runs', async () => {
    const times = [new Date('2026-11-20T23:59:59Z'), new Date('2026-11-21T00:00:01Z')]
    let calls = 0
    const send = shopThat((response) => {
      calls++
      return calls > 12 ? new Response('{}') : response
    })
    const now = () => times[calls > 12 ? 1 : 0] ?? new Date()
    const result = await resultOf('delaySubscription.moves-the-date', { send, now })
    expect(result).toMatchObject({ outcome: 'skipped', reason: 'the date changed while the check ran' })
  })

  it('fails a check if a response exceeds the timeout', async () => {
    let calls = 0
    const shop = sendTo(createShop())
    const send: RunOptions['send'] = (request) =>
      ++calls <= 12
        ? shop(request)
        : new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(new Error('left'))))
    const { failure } = await resultOf('getDiscount.returns-a-percentage', { send, timeoutMs: 20 })
    expect(failure?.received).toBe('none within 20 ms')
    expect(failure?.requirement).toBe('DISCOUNT-2')
  })

  it('ends a check that takes too long and continues with the next check', async () => {
    const send = shopWith('TEST10', () => new Promise<Response>(() => {}))
    const only = ['getDiscount.returns-a-percentage', 'getDiscount.returns-a-fixed-amount']
    const { results } = await runOn({ send, only, checkTimeoutMs: 50 })
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'passed'])
    expect(results[0]?.failure?.expected).toBe('the check to finish in time')
  })

  it('skips the remaining checks when the run is stopped', async () => {
    const stop = new AbortController()
    const results: CheckResult[] = []
    const run = runChecks({ send: sendTo(createShop()), apiKey, only: ['getDiscount'], signal: stop.signal })
    for await (const event of run) {
      if (event.type !== 'result') continue
      results.push(event.result)
      stop.abort()
    }
    expect(results.map(({ outcome }) => outcome)).toEqual(['passed', ...results.slice(1).map(() => 'skipped')])
    expect(results[1]?.reason).toBe('the run was stopped before this check was complete')
  })

  it('treats an endpoint as missing if the response is the same as for an unknown path', async () => {
    const body = { success: false, error: { code: 'NOT_FOUND', message: 'Not here.' } }
    const send = shopWith(/send-now|no-such-path/, () => Response.json(body, { status: 404 }))
    const { offered } = await runOn({ send, only: ['sendNow'] })
    expect(offered).toEqual(endpointNames.filter((name) => name !== 'sendNow'))
  })

  it('treats an endpoint as offered if it rejects the key or drops the connection', async () => {
    const send = shopThat((response, request) => {
      if (request.url.includes('upsells/products')) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
      return request.url.includes('send-now') ? new Response('', { status: 401 }) : response
    })
    const { offered } = await runOn({ send, only: ['ROUTE-9'] })
    expect(offered).toEqual(endpointNames)
  })
})
