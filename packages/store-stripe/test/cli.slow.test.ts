import { startStripeStandIn, type StripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { environment, openTestShop, runCommand } from './open-shop.ts'

describe('storeport-stripe', () => {
  it.each([
    ['inspect', {}, 'Set the environment variable STRIPE_SECRET_KEY'],
    ['verify', { STRIPE_SECRET_KEY: 'sk_live_secret' }, 'verify requires the secret test key'],
    ['verify', { STRIPE_SECRET_KEY: 'rk_live_secret' }, 'verify requires the secret test key'],
    ['verify', { STRIPE_SECRET_KEY: 'rk_test_secret' }, 'verify requires the secret test key'],
    ['verify', { STRIPE_SECRET_KEY: 'pk_test_secret' }, 'STRIPE_SECRET_KEY must be a secret or restricted key'],
    ['inspect', { STRIPE_SECRET_KEY: 'sk_test_secret\n' }, 'STRIPE_SECRET_KEY must be a secret or restricted key'],
    ['inspect', { STRIPE_SECRET_KEY: 'sk_test_secret', STRIPE_URL: 'localhost' }, 'STRIPE_URL must be a URL'],
    ['delete', { STRIPE_SECRET_KEY: 'sk_test_secret' }, 'The command must be inspect or verify'],
    ['inspect --key sk_test_secret', { STRIPE_SECRET_KEY: 'sk_test_secret' }, 'Unknown option'],
    ['inspect --currency usd', { STRIPE_SECRET_KEY: 'sk_test_secret' }, '--currency must be an ISO 4217 code'],
    ['inspect --emails two', { STRIPE_SECRET_KEY: 'sk_test_secret' }, '--emails must be a whole number'],
  ])('rejects %s with %o', async (words, env, message) => {
    const { code, err } = await runCommand(words, { env })
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).not.toContain('_secret')
  })

  it('explains an invalid key without printing the key', async () => {
    const standIn = await startStripeStandIn()
    onTestFinished(() => standIn.close())
    const { code, err } = await runCommand('inspect', { ...standIn, secretKey: 'sk_test_other' })
    expect([code, err]).toEqual([2, expect.stringMatching(/^storeport-stripe: Stripe rejected .* Copy a valid key/)])
    expect(err).not.toContain('sk_test_other')
  })

  it('prints the network error if the host is unreachable, and removes nothing', async () => {
    const standIn = await startStripeStandIn()
    await standIn.close()
    const { code, out, err } = await runCommand('verify', standIn)
    expect([code, err]).toEqual([2, 'storeport-stripe: Stripe did not respond. (ECONNREFUSED)'])
    expect(out).not.toMatch(/deleted|archived/i)
  })
})

describe('storeport-stripe inspect', () => {
  it('prints unsupported prices and subscriptions with reasons, and the API reads of a month; sends only reads', async () => {
    const { stripe, standIn, subscriptions } = await openTestShop()
    const [paused = '', current = ''] = [subscriptions['sub_3001'], subscriptions['sub_1001']]
    await stripe.subscriptions.update(paused, { pause_collection: { behavior: 'void' } })
    const { customer } = await stripe.subscriptions.retrieve(current)
    const terms = { currency: 'jpy', recurring: { interval: 'month' } } as const
    const yen = await stripe.prices.create({ ...terms, product: 'test_12345', unit_amount: 900 })
    const other = await stripe.subscriptions.create({ customer: String(customer), items: [{ price: yen.id }] })
    const before = standIn.requests.length
    const { code, out } = await runCommand('inspect --customers 10000 --emails 5', standIn)
    expect(code).toBe(0)
    expect(out).toContain('runs against a stand-in')
    expect(out).toContain(`  1 because it is in another currency than the store: ${yen.id}`)
    expect(out).toContain('Subscriptions that are not cancelled: 2 supported, 2 not supported')
    expect(out).toContain(`  1 because it is paused, or its collection is paused: ${paused}`)
    expect(out).toContain(`  1 because it is in another currency than the store: ${other.id}`)
    expect(out).toContain('note: 1 customers have several')
    expect(out).toContain('note: 2 supported subscriptions are in their first trial')
    // One read for upsells, one for the portal and two for reactivation.
    expect(out).toContain('all three: 200000.')
    expect(out).toContain('Transactions in 30 days that this requires: 400')
    expect(standIn.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true)
    expect(out).toContain(`This command sent ${standIn.requests.length - before} reads`)
  })
})

describe('storeport-stripe verify', () => {
  const start = new Date('2026-03-10T09:00:00Z')

  it('finds the assumed behavior on the stand-in, names the stand-in in its output and removes what it created', async () => {
    const standIn = await startStripeStandIn({ now: () => start })
    onTestFinished(() => standIn.close())
    const { code, out } = await runCommand('verify', standIn)
    expect(out).not.toContain('DIFFERENT')
    expect(code).toBe(0)
    expect(out).toContain('runs against a stand-in')
    expect(out).toContain('This stand-in: lost, done, charges: 1.')
    expect(out).toMatch(/56 equal, 4 open questions answered, 0 different$/)
    expect(countRemovals(standIn)).toEqual({ clocks: [10, 10], others: [5, 5] })
  })

  it('reports a different behavior, answers an open question, and removes what it created after a failure', async () => {
    const standIn = await startStripeStandIn({ now: () => start, trialsBillPending: true })
    onTestFinished(() => standIn.close())
    standIn.fail({ kind: 'server_error', matches: ({ method, path }) => method === 'GET' && path === '/v1/invoices' })
    const { code, out } = await runCommand('verify', standIn)
    expect(code).toBe(1)
    expect(out).toMatch(/DIFFERENT addProduct \(quirk 5\)\. This stand-in: error/)
    expect(out).toMatch(/open {6}one-time item when a trial starts .* This stand-in: is billed\./)
    expect(out).toContain('Deleted the test clocks')
  })

  it('prints the ids of objects that were not removed', async () => {
    const standIn = await startStripeStandIn({ now: () => start })
    onTestFinished(() => standIn.close())
    standIn.fail({ kind: 'server_error', matches: ({ path }) => /\/test_clocks\/\w+$/.test(path) })
    const { code, out } = await runCommand('verify', standIn)
    expect(code).toBe(1)
    expect(out).toMatch(/^Not removed: clock_\d+\. /m)
  })

  it.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ] as const)('removes what it created after %s, ignores an immediate %s, and exits with 130', async (...signals) => {
    // The signals arrive while the second test clock is created. A terminal and npx send one each for a Ctrl-C.
    const { standIn, child, output } = await startVerify(({ path }, count) => {
      if (path !== '/v1/test_helpers/test_clocks' || count(path) !== 2) return
      for (const signal of signals) child.kill(signal)
    })
    const [code] = await once(child, 'close')
    const { out, err } = output
    expect([code, err]).toEqual([130, expect.stringMatching(/^Interrupted\./)])
    expect(out).toMatch(/Deleted the test clocks .*\n$/)
    expect(out).not.toMatch(/DIFFERENT|0 different/)
    // The subscription on the second test clock was not created.
    expect(
      standIn.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/subscriptions'),
    ).toHaveLength(1)
    expect(countRemovals(standIn)).toEqual({ clocks: [2, 2], others: [5, 5] })
  })

  it('removes what it created if the reader of its output exits', async () => {
    const { standIn, child } = await startVerify(({ path }, count) => {
      if (path === '/v1/test_helpers/test_clocks' && count(path) === 2) child.stdout.destroy()
    })
    await once(child, 'close')
    expect(countRemovals(standIn)).toEqual({ clocks: [2, 2], others: [5, 5] })
  })

  it('ends immediately after a second signal', async () => {
    const { standIn, child, output } = await startVerify(({ path }, count) => {
      if (path === '/v1/test_helpers/test_clocks' && count(path) === 1) child.kill('SIGINT')
    })
    standIn.fail({ kind: 'hang', matches: ({ method }) => method === 'DELETE' })
    const closed = once(child, 'close')
    await vi.waitUntil(() => standIn.requests.some(({ method }) => method === 'DELETE'), { timeout: 20_000 })
    await vi.waitUntil(() => !child.kill('SIGINT'), { timeout: 20_000 })
    expect([await closed, output.err]).toEqual([[130, null], expect.stringContaining('can remain')])
  })
})

/** Returns how many test clocks and other objects were created and removed. */
function countRemovals({ requests }: StripeStandIn) {
  const count = (matches: (request: StripeStandIn['requests'][number]) => boolean) => requests.filter(matches).length
  const isClock = /^\/v1\/test_helpers\/test_clocks$/
  const isOther = /^\/v1\/(?:prices|products|tax_rates)$/
  return {
    clocks: [
      count(({ method, path }) => method === 'POST' && isClock.test(path)),
      count(({ method, path }) => method === 'DELETE' && path.includes('test_clocks')),
    ],
    others: [
      count(({ method, path }) => method === 'POST' && isOther.test(path)),
      count(({ params }) => params['active'] === 'false'),
    ],
  }
}

/**
 * Starts `verify` as a process. Calls `onRequest` before each request runs, with a function that returns the number of POST requests to a
 * path until then.
 */
async function startVerify(onRequest: (request: { readonly path: string }, count: (path: string) => number) => void) {
  const standIn = await startStripeStandIn()
  onTestFinished(() => standIn.close())
  const count = (path: string) => standIn.requests.filter((one) => one.method === 'POST' && one.path === path).length
  standIn.fail({
    kind: 'hang',
    times: Infinity,
    matches: (request) => {
      if (request.method === 'POST') onRequest(request, count)
      return false
    },
  })
  const child = spawn(process.execPath, ['packages/store-stripe/bin/storeport-stripe.js', 'verify'], {
    env: { ...process.env, ...environment(standIn) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (output.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (output.err += part.toString()))
  return { standIn, child, output }
}
