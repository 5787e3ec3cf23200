import { endpointNames } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import {
  checks,
  collectReport,
  runChecks,
  type RunOptions,
  seedProfile,
  selectChecks,
  sendTo,
  ShopError,
  type CheckResult,
  type RunEvent,
} from '../../src/index.ts'
import { apiKey, createShop, resultOf, secondApiKey, shopThat } from '../shop.ts'

describe('selectChecks', () => {
  it('takes the checks of a mode', () => {
    const modes = (mode: RunOptions['mode']) => [...new Set(selectChecks({ mode }).map((check) => check.mode))]
    expect(modes('read-only')).toEqual(['read-only'])
    expect(modes('default')).toEqual(['read-only', 'write'])
    expect(modes('stress')).toEqual(['read-only', 'write', 'stress'])
    expect(selectChecks({ mode: 'stress' })).toEqual(checks)
  })

  it('takes the checks of a layer', () => {
    const layers = (layer: RunOptions['layer']) => selectChecks({ mode: 'stress', layer })
    expect(layers('wire').every(({ layer }) => layer === 'wire')).toBe(true)
    expect(layers('wire').length + layers('shop').length).toBe(checks.length)
    expect(layers(undefined)).toEqual(checks)
  })

  it('has one success of each operation in the wire layer', () => {
    const wire = selectChecks({ mode: 'stress', layer: 'wire' })
    for (const name of endpointNames) {
      const served = wire.filter(({ id, requirements }) => {
        return id.startsWith(`${name}.`) && requirements.some((cited) => /^JSON-[12]$/.test(cited))
      })
      expect(
        served.map(({ id }) => id),
        name,
      ).not.toEqual([])
    }
  })

  it('takes ids, topics and requirements', () => {
    const only = (word: string) => selectChecks({ mode: 'stress', only: [word] }).map(({ id }) => id)
    expect(only('getDiscount.tells-a-percentage')).toEqual(['getDiscount.tells-a-percentage'])
    expect(only('sendNow').every((id) => id.startsWith('sendNow.'))).toBe(true)
    expect(only('sendNow').length).toBeGreaterThan(5)
    expect(only('EMAIL-7')).toEqual(['emails.keep-a-plus-in-the-query'])
    expect(only('send')).toEqual([])
  })
})

describe('runChecks', () => {
  it('tells what happens, in order', async () => {
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

  it('tells each wait while the check is still running, and one before it starts', async () => {
    let calls = 0
    const send = shopThat((response) => {
      calls++
      const isTooSoon = calls === 1 || calls === 14
      return isTooSoon ? new Response('{}', { status: 429, headers: { 'Retry-After': '0' } }) : response
    })
    const types: string[] = []
    for await (const { type } of runChecks({ send, apiKey, only: ['getDiscount.tells-a-percentage'] })) types.push(type)
    expect(types).toEqual(['wait', 'start', 'check', 'wait', 'result', 'end'])
  })

  it('makes no more calls when nobody listens any more', async () => {
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

  it('skips the checks of an endpoint that the shop does not offer', { timeout: 30_000 }, async () => {
    const { undoAddProduct: _left, ...store } = createMemoryStore()
    const send = sendTo(createShop({ store }))
    const { results, offered } = await collectReport(runChecks({ send, apiKey, mode: 'stress' }))
    expect(offered).not.toContain('undoAddProduct')
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    const skipped = results.find(({ check }) => check.id === 'undoAddProduct.refuses-a-wrong-key')
    expect(skipped?.reason).toBe('the shop does not offer undoAddProduct')
  })

  it('passes on a shop without the retry guard', { timeout: 30_000 }, async () => {
    let shop = createShop()
    const run = runChecks({
      send: sendTo((request) => shop(request)),
      reset: async () => {
        shop = createShop({ retries: false })
      },
      apiKey,
      secondApiKey,
      mode: 'stress',
      cannot: ['retries'],
    })
    const { results } = await collectReport(run)
    expect(results.flatMap(({ failure }) => failure?.message ?? [])).toEqual([])
  })

  it('rejects when the shop refuses the key', async () => {
    const run = collectReport(runChecks({ send: sendTo(createShop()), apiKey: 'not-the-right-key-1' }))
    await expect(run).rejects.toThrow('the shop refuses the API key')
  })

  it('rejects when there is no shop', async () => {
    const page = collectReport(runChecks({ send: async () => ({ status: 404, headers: [], body: '<html>' }), apiKey }))
    await expect(page).rejects.toThrow('the shop answers with a web page rather than the JSON of the API (404')
    const run = collectReport(runChecks({ send: async () => ({ status: 404, headers: [], body: '{}' }), apiKey }))
    await expect(run).rejects.toThrow('the shop offers no endpoint below /integration')
    const unreachable = collectReport(runChecks({ send: () => Promise.reject(new Error('refused')), apiKey }))
    await expect(unreachable).rejects.toThrow(new ShopError('no answer from the shop (refused)'))
  })

  it('skips with a reason: by option, by what cannot be seen, by what the profile lacks', async () => {
    const id = 'getDiscount.tells-a-percentage'
    expect(await resultOf(id, { skips: { [id]: 'not today' } })).toMatchObject({
      outcome: 'skipped',
      reason: 'not today',
    })
    const retries = await resultOf('retries.count-once', { cannot: ['retries'] })
    expect(retries).toMatchObject({ outcome: 'skipped', reason: 'cannot be seen from here: retries' })
    const dots = await resultOf('routing.refuses-dots')
    expect(dots).toMatchObject({ outcome: 'skipped', reason: 'cannot be seen from here: raw-path' })
    const discounts = { unknown: 'X' }
    const lacking = await resultOf(id, { profile: { ...seedProfile, discounts } })
    expect(lacking).toMatchObject({ outcome: 'skipped', reason: 'the profile names no discounts.percentage' })
    const lackingLater = await resultOf('swapProduct.takes-a-percentage-off', {
      profile: { ...seedProfile, discounts },
    })
    expect(lackingLater).toMatchObject({
      outcome: 'skipped',
      reason: 'the profile names no discounts.percentage',
      cause: { kind: 'profile', lacks: ['discounts.percentage'] },
    })
  })

  it('skips what earlier calls used up, and lets it fail on a fresh shop', async () => {
    const { discounts: _left, ...rest } = seedProfile
    const profile = {
      ...rest,
      discounts: seedProfile.discounts,
      customers: { ...seedProfile.customers, cancelled: 'test@example.com' },
    }
    const id = 'reactivateSubscription.makes-it-active'
    const used = await resultOf(id, { profile })
    expect(used).toMatchObject({ outcome: 'skipped', reason: 'nothing is left to reactivate' })
    const fresh = await resultOf(id, { profile, fresh: true })
    expect(fresh.failure?.received).toBe('nothing is left to reactivate')
    const reset = await resultOf(id, { profile, reset: async () => {} })
    expect(reset.outcome).toBe('failed')
  })

  it('resets the shop before each check', async () => {
    let shop = createShop()
    const id = 'reactivateSubscription.makes-it-active'
    const options = {
      send: sendTo((request) => shop(request)),
      reset: async () => {
        shop = createShop()
      },
    }
    expect((await resultOf(id, options)).outcome).toBe('passed')
    expect((await resultOf(id, options)).outcome).toBe('passed')
  })

  it('skips a check during which the day changed', async () => {
    const times = [new Date('2026-11-20T23:59:59Z'), new Date('2026-11-21T00:00:01Z')]
    let calls = 0
    const send = shopThat((response) => {
      calls++
      return calls > 12 ? new Response('{}') : response
    })
    const result = await resultOf('delaySubscription.moves-the-date', {
      send,
      now: () => times[calls > 12 ? 1 : 0] ?? new Date(),
    })
    expect(result).toMatchObject({ outcome: 'skipped', reason: 'the day changed while the check ran' })
  })

  it('waits where the shop says that a call comes too soon', async () => {
    let calls = 0
    const send = shopThat((response) =>
      ++calls % 2 === 0 ? response : new Response('{}', { status: 429, headers: { 'Retry-After': '0' } }),
    )
    expect(await resultOf('getDiscount.tells-a-percentage', { send })).toMatchObject({ outcome: 'passed' })
  })

  it('fails a check that gets no answer in time', async () => {
    let calls = 0
    const shop = sendTo(createShop())
    const send: RunOptions['send'] = (request) =>
      ++calls <= 12
        ? shop(request)
        : new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(new Error('left'))))
    const { failure } = await resultOf('getDiscount.tells-a-percentage', { send, timeoutMs: 20 })
    expect(failure?.received).toBe('none within 20 ms')
    expect(failure?.requirement).toBe('DISCOUNT-2')
  })

  it('ends a check that takes too long, and goes on with the next one', async () => {
    const send = shopThat((response, request) =>
      request.url.includes('TEST10') ? new Promise<Response>(() => {}) : response,
    )
    const { results } = await collectReport(
      runChecks({
        send,
        apiKey,
        only: ['getDiscount.tells-a-percentage', 'getDiscount.tells-a-fixed-amount'],
        checkTimeoutMs: 50,
      }),
    )
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'passed'])
    expect(results[0]?.failure?.expected).toBe('the check to end in time')
  })

  it('skips what is left when it is stopped', async () => {
    const stop = new AbortController()
    const results: CheckResult[] = []
    const run = runChecks({ send: sendTo(createShop()), apiKey, only: ['getDiscount'], signal: stop.signal })
    for await (const event of run) {
      if (event.type !== 'result') continue
      results.push(event.result)
      stop.abort()
    }
    expect(results.map(({ outcome }) => outcome)).toEqual(['passed', ...results.slice(1).map(() => 'skipped')])
    expect(results[1]?.reason).toBe('the run was stopped before')
  })

  it('knows an endpoint that is absent by the answer that every unknown path gets', async () => {
    const send = shopThat((response, request) =>
      /send-now|no-such-path/.test(request.url)
        ? Response.json({ success: false, error: { code: 'NOT_FOUND', message: 'Not here.' } }, { status: 404 })
        : response,
    )
    const { offered } = await collectReport(runChecks({ send, apiKey, only: ['sendNow'] }))
    expect(offered).toEqual(endpointNames.filter((name) => name !== 'sendNow'))
  })

  it('takes an endpoint that refuses the key, or loses the call, for offered', async () => {
    const send = shopThat((response, request) => {
      if (request.url.includes('upsells/products')) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
      return request.url.includes('send-now') ? new Response('', { status: 401 }) : response
    })
    const { offered } = await collectReport(runChecks({ send, apiKey, only: ['ROUTE-9'] }))
    expect(offered).toEqual(endpointNames)
  })
})
