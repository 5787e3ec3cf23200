import { describe, expect, it, vi } from 'vitest'
import {
  type AddProductInput,
  type Context,
  type IntegrationOptions,
  memoryLedger,
  type RetryOptions,
  StoreError,
  type StorePort,
} from '@storeport/core'
import { deferred, integrationOf, send } from './support.ts'

const add = '/integration/upsells/add-product'
const undo = '/integration/upsells/undo-add-product'
const sendNow = '/integration/customer-portal/send-now'
const beans = { email: 'a@b.example', product_id: 'beans' }

/** A shop that counts what really happened, in front of a clock that the test turns. */
function shop(changes: StorePort = {}, retries: RetryOptions | false = {}, options: Partial<IntegrationOptions> = {}) {
  const clock = { now: 0 }
  const effects: string[] = []
  const keys: string[] = []
  const record = (what: string) => async (input: { email: string }, context: Context) => {
    effects.push(`${what} ${input.email}`)
    keys.push(context.idempotencyKey)
  }
  const store: StorePort = {
    addProduct: record('add'),
    undoAddProduct: record('undo'),
    sendNow: record('send'),
    delaySubscription: record('delay'),
    ...changes,
  }
  const ledger = changes.ledger ?? memoryLedger({ now: () => clock.now })
  const integration = integrationOf(store, {
    retries: retries === false ? false : { ledger, ...retries },
    onError: () => {},
    ...options,
  })
  const post = (path: string, body: object, headers = {}) => send(integration, path, { body, headers })
  return { clock, effects, keys, post, integration }
}

it('answers a repeat when the first click ends, without asking the ledger again and again', async () => {
  const [began, mayEnd] = [deferred<void>(), deferred<void>()]
  const kept = memoryLedger()
  let claims = 0
  const claimed = deferred<void>()
  const ledger = {
    ...kept,
    claim: (...asked: Parameters<typeof kept.claim>) => {
      claims += 1
      if (claims === 2) claimed.resolve(undefined)
      return kept.claim(...asked)
    },
  }
  const addProduct = async () => {
    began.resolve(undefined)
    await mayEnd.promise
  }
  const { post } = shop({ addProduct }, { ledger })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const first = post(add, beans)
    await began.promise
    const repeat = post(add, beans)
    await claimed.promise
    mayEnd.resolve(undefined)
    expect([(await first).status, (await repeat).status, claims]).toEqual([200, 200, 3])
  } finally {
    vi.useRealTimers()
  }
})

it('lets a repeat run when the first click is lost, although it never ends', async () => {
  const began = deferred<void>()
  let runs = 0
  const addProduct = async () => {
    runs += 1
    if (runs > 1) return
    began.resolve(undefined)
    await new Promise(() => {})
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { post, clock } = shop({ addProduct, honoursIdempotencyKey: true }, {}, { timeoutMs: 2000 })
    void post(add, beans)
    await began.promise
    const repeat = post(add, beans)
    clock.now = 7001
    await vi.advanceTimersByTimeAsync(500)
    expect((await repeat).status).toBe(200)
    expect(runs).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

describe('the ledger', () => {
  it('receives no email, no key and nothing else that a caller sent', async () => {
    const told: string[] = []
    const kept = memoryLedger()
    const { post } = shop(
      {},
      {
        ledger: {
          claim: (click, retryUnknown) => {
            told.push(JSON.stringify(click))
            return kept.claim(click, retryUnknown)
          },
          settle: (click, outcome) => {
            told.push(JSON.stringify(click))
            return kept.settle(click, outcome)
          },
        },
      },
    )
    const email = 'Some.Body@shop.example'
    await post(add, { email, product_id: 'dark-beans' })
    await post(sendNow, { email }, { 'idempotency-key': 'click-of-a-customer' })
    expect(told).toHaveLength(4)
    expect(told.join()).not.toMatch(/some.body|shop\.example|dark-beans|click-of-a-customer/i)
  })
})

describe('without a key from the caller', () => {
  it('runs 50 parallel repeats once and answers them all in the same way', async () => {
    const { effects, post } = shop()
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(sendNow, { email: 'a@b.example' })))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"success":true}']))
    expect(effects).toEqual(['send a@b.example'])
  })

  it('takes two ways of writing the same call for the same click', async () => {
    const { effects, post } = shop()
    await post(add, beans)
    await post(add, { one_time: false, quantity: 1, product_id: 'beans', email: ' A@B.example', discount_code: null })
    expect(effects).toHaveLength(1)
    await post(add, { ...beans, quantity: 2 })
    expect(effects).toHaveLength(2)
  })

  it('counts add, undo, add as three', async () => {
    const { effects, post } = shop()
    await post(add, beans)
    await post(undo, beans)
    await post(add, beans)
    expect(effects).toEqual(['add a@b.example', 'undo a@b.example', 'add a@b.example'])
  })

  it('runs again after the window: 10 s, or 10 min for sendNow', async () => {
    const { effects, post, clock } = shop()
    const both = async () => {
      await post(add, { ...beans, email: 'other@b.example' })
      await post(sendNow, { email: 'a@b.example' })
    }
    await both()
    clock.now += 9_999
    await both()
    expect(effects).toHaveLength(2)
    clock.now += 1
    await both()
    expect(effects).toHaveLength(3)
    clock.now += 590_000
    await both()
    expect(effects.filter((effect) => effect.startsWith('send'))).toHaveLength(2)
  })

  it('never mixes two customers, nor the test store with the real one', async () => {
    const { effects, post, integration } = shop()
    await post(add, beans)
    await post(add, { ...beans, email: 'c@d.example' })
    await post(add, beans)
    expect(effects).toEqual(['add a@b.example', 'add c@d.example'])
    expect((await send(integration, `${add}?test=true`, { body: beans })).status).toBe(400)
  })

  it('tries again after a refusal', async () => {
    let refusals = 1
    const effects: string[] = []
    const { post } = shop({
      addProduct: async () => {
        if (refusals-- > 0) throw new StoreError('payment_failed')
        effects.push('add')
      },
    })
    expect((await post(add, beans)).json.error?.code).toBe('payment_failed')
    expect((await post(add, beans)).status).toBe(200)
    expect(effects).toEqual(['add'])
  })

  it('runs a repeat itself when the call that it waited for fails, one after the other', async () => {
    let calls = 0
    const { post } = shop({
      addProduct: async () => {
        calls += 1
        if (calls < 3) throw new StoreError('payment_failed')
      },
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(add, beans)))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 200, 200])
    expect(calls).toBe(3)
  })

  it('waits no longer for the first than a call may take', async () => {
    const { post } = shop({ addProduct: () => new Promise(() => {}) }, {}, { timeoutMs: 40 })
    const answers = await Promise.all([post(add, beans), post(add, beans)])
    expect(answers.map(({ json }) => json.error?.code)).toEqual(['store_timeout', 'request_in_progress'])
  })

  it('counts a call of an endpoint without a window as one between two others', async () => {
    const { effects, post } = shop({}, { windows: { undoAddProduct: 0 } })
    for (const path of [add, undo, undo, add]) await post(path, beans)
    expect(effects).toHaveLength(4)
  })

  it('can be turned off for one endpoint, or for all', async () => {
    const some = shop({}, { windows: { addProduct: 0 } })
    await some.post(add, beans)
    await some.post(add, beans)
    await some.post(sendNow, { email: 'a@b.example' })
    await some.post(sendNow, { email: 'a@b.example' })
    expect(some.effects).toHaveLength(3)
    const none = shop({}, false)
    await none.post(sendNow, { email: 'a@b.example' })
    await none.post(sendNow, { email: 'a@b.example' })
    expect(none.effects).toHaveLength(2)
    expect(new Set(none.keys).size).toBe(2)
    await none.post(sendNow, { email: 'a@b.example' }, { 'idempotency-key': 'click-1' })
    await none.post(sendNow, { email: 'a@b.example' }, { 'idempotency-key': 'click-1' })
    expect(none.keys[2]).toBe(none.keys[3])
  })
})

describe('when nobody knows how a call ended', () => {
  const lost = (effects: string[], honoursIdempotencyKey: boolean): StorePort => {
    const applied = new Set<string>()
    return {
      honoursIdempotencyKey,
      addProduct: async (_: AddProductInput, { idempotencyKey }) => {
        const again = applied.has(idempotencyKey)
        if (!again || !honoursIdempotencyKey) effects.push('add')
        applied.add(idempotencyKey)
        if (!again) throw new Error('the connection broke after the commit')
      },
      delaySubscription: async () => {
        effects.push('delay')
        if (effects.length === 1) throw new Error('lost')
      },
    }
  }

  it('runs a retry under the same key in a store that honours it', async () => {
    const effects: string[] = []
    const { post } = shop(lost(effects, true))
    expect((await post(add, beans)).status).toBe(500)
    expect((await post(add, beans)).status).toBe(200)
    expect(effects).toEqual(['add'])
  })

  it.each(['store_unavailable', 'request_in_progress'] as const)(
    'still does not know when a retry ends with %s',
    async (code) => {
      const keys: string[] = []
      const { post } = shop({
        honoursIdempotencyKey: true,
        sendNow: async (_, { idempotencyKey }) => {
          keys.push(idempotencyKey)
          if (keys.length === 1) throw new Error('lost')
          if (keys.length === 2) throw new StoreError(code)
        },
      })
      for (let tries = 0; tries < 3; tries++) await post(sendNow, { email: 'a@b.example' })
      expect(new Set(keys).size).toBe(1)
      expect(keys).toHaveLength(3)
    },
  )

  it('asks the caller to wait where a second run would do harm', async () => {
    const effects: string[] = []
    const { post, clock } = shop(lost(effects, false))
    await post(add, beans)
    clock.now += 4_000
    const retried = await post(add, beans)
    expect([retried.status, retried.json.error?.code]).toEqual([503, 'store_unavailable'])
    expect(retried.headers.get('retry-after')).toBe('86396')
    expect(effects).toEqual(['add'])
  })

  it('runs a retry where a second run does no harm', async () => {
    const effects: string[] = []
    const { post } = shop(lost(effects, false))
    const delay = { email: 'a@b.example', new_date: '2030-01-01' }
    expect((await post('/integration/customer-portal/delay', delay)).status).toBe(500)
    expect((await post('/integration/customer-portal/delay', delay)).status).toBe(200)
    expect(effects).toEqual(['delay', 'delay'])
  })

  it('counts what the store calls an upstream failure as unknown, and as refused that it was not available', async () => {
    const codes = ['upstream_error', 'store_unavailable'] as const
    const statuses = codes.map(async (code) => {
      const { post } = shop({
        sendNow: async () => {
          throw new StoreError(code)
        },
      })
      await post(sendNow, { email: 'a@b.example' })
      return (await post(sendNow, { email: 'a@b.example' })).headers.get('retry-after')
    })
    expect(await Promise.all(statuses)).toEqual(['86400', '5'])
  })
})

describe('with Idempotency-Key', () => {
  const named = (key: string) => ({ 'idempotency-key': key })

  it('answers the same key and body again for 24 hours, whatever came between, and says so', async () => {
    const { effects, post, clock } = shop()
    const first = await post(add, beans, named('"click-1"'))
    expect(first.headers.has('idempotency-replayed')).toBe(false)
    await post(undo, beans)
    clock.now += 86_399_999
    const again = await post(add, beans, named('click-1'))
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    expect(effects).toEqual(['add a@b.example', 'undo a@b.example'])
    clock.now += 1
    await post(add, beans, named('click-1'))
    expect(effects).toHaveLength(3)
  })

  it('runs two keys twice, also for the same body', async () => {
    const { effects, post } = shop()
    await post(add, beans, named('click-1'))
    await post(add, beans, named('click-2'))
    expect(effects).toHaveLength(2)
  })

  it('refuses a key that was used for another body, and takes it for another endpoint', async () => {
    const { effects, post } = shop()
    await post(add, beans, named('click-1'))
    const other = await post(add, { ...beans, quantity: 2 }, named('click-1'))
    expect([other.status, other.json.error?.code]).toEqual([422, 'idempotency_key_reused'])
    await post(undo, beans, named('click-1'))
    expect(effects).toHaveLength(2)
  })

  it('answers 409 while the first is running, and does not use a key up for a refusal', async () => {
    const called = deferred<void>()
    const refused = deferred<void>()
    let calls = 0
    const { post } = shop({
      sendNow: () => {
        calls += 1
        called.resolve()
        return calls === 1 ? refused.promise : Promise.resolve()
      },
    })
    const first = post(sendNow, { email: 'a@b.example' }, named('k'))
    await called.promise
    const second = await post(sendNow, { email: 'a@b.example' }, named('k'))
    expect([second.status, second.json.error?.code]).toEqual([409, 'request_in_progress'])
    refused.reject(new StoreError('payment_failed'))
    expect((await first).status).toBe(400)
    expect((await post(sendNow, { email: 'a@b.example' }, named('k'))).status).toBe(200)
  })

  it.each(['', '""', 'two words', 'é', `"${'x'.repeat(256)}"`, 'a, b'])('refuses %j', async (bad) => {
    const { effects, post } = shop()
    expect((await post(add, beans, named(bad))).status).toBe(400)
    expect(effects).toEqual([])
  })

  it.each(['x', 'x'.repeat(255), '"say \\"hi\\""', 'a=b;c'])('takes %j', async (good) => {
    const { effects, post } = shop()
    await post(add, beans, named(good))
    await post(add, beans, named(good))
    expect(effects).toHaveLength(good.includes(' ') ? 0 : 1)
  })
})

describe('the identity of a click', () => {
  it('is the same after the ledger has forgotten it, for the same key and body alone', async () => {
    const seen: Context['clickIdentity'][] = []
    const store: StorePort = {
      marksClicks: true,
      sendNow: async (_, { clickIdentity }) => void seen.push(clickIdentity),
    }
    const { clock, post } = shop(store)
    const click = async (email: string, headers = {}) => {
      clock.now += 25 * 60 * 60_000
      expect((await post(sendNow, { email }, headers)).status).toBe(200)
      const { id, fingerprint, named } = seen.at(-1) ?? {}
      return { id, fingerprint, named }
    }
    const key = { 'idempotency-key': 'one' }
    const first = await click('a@b.example', key)
    expect(first.named).toBe(true)
    expect(await click('a@b.example', key)).toEqual(first)
    expect(await click('c@d.example', key)).not.toEqual(first)
    const unnamed = await click('a@b.example')
    expect(unnamed).toEqual({ id: first.fingerprint, fingerprint: first.fingerprint, named: false })
    expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is not made for a store that does not ask for it', async () => {
    const seen: Context['clickIdentity'][] = []
    const { post } = shop({ sendNow: async (_, { clickIdentity }) => void seen.push(clickIdentity) })
    expect((await post(sendNow, { email: 'a@b.example' })).status).toBe(200)
    expect(seen).toEqual([undefined])
  })
})
