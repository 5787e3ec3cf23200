import { startStripeStandIn, type StripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
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

it('storeport-stripe inspect prints unsupported objects with reasons, and sends only reads', async () => {
  const { stripe, standIn, subscriptions } = await openTestShop()
  const { customer } = await stripe.subscriptions.retrieve(subscriptions['sub_1001'] ?? '')
  const terms = { currency: 'jpy', recurring: { interval: 'month' } } as const
  const yen = await stripe.prices.create({ ...terms, product: 'test_12345', unit_amount: 900 })
  const other = await stripe.subscriptions.create({ customer: String(customer), items: [{ price: yen.id }] })
  const before = standIn.requests.length
  const { code, out } = await runCommand('inspect', standIn)
  expect(code).toBe(0)
  expect(out).toContain('runs against a stand-in')
  expect(out).toContain(`  1 because it is in another currency than the store: ${yen.id}`)
  expect(out).toContain('Subscriptions: 7 supported, 1 not supported')
  expect(out).toContain(`  1 because it is in another currency than the store: ${other.id}`)
  expect(out).toContain('  3 because Delay and Send Now require the option freeTrials')
  expect(standIn.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true)
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
    expect(out).toMatch(/52 equal, 4 open questions answered, 0 different$/)
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
    ['SIGINT', 130],
    ['SIGTERM', 130],
    ['a closed pipe', expect.any(Number)],
  ] as const)('removes what it created after %s', async (reason, expected) => {
    // The interruption arrives while the second test clock is created. npx forwards a Ctrl-C of the terminal as a second signal.
    const { standIn, child, output } = await startVerify(({ path }, count) => {
      if (path !== '/v1/test_helpers/test_clocks' || count(path) !== 2) return
      if (reason === 'a closed pipe') child.stdout.destroy()
      else for (const signal of [reason, 'SIGINT'] as const) child.kill(signal)
    })
    const [code] = await once(child, 'close')
    expect([code, output.err]).toEqual([expected, expect.stringMatching(/^Interrupted\./)])
    if (reason !== 'a closed pipe') expect(output.out).toMatch(/Deleted the test clocks .*\n$/)
    expect(output.out).not.toMatch(/DIFFERENT|0 different/)
    expect(countRemovals(standIn)).toEqual({ clocks: [2, 2], others: [5, 5] })
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
