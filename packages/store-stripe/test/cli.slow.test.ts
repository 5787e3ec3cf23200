import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../src/cli/run.ts'
import { openTestShop } from './open-shop.ts'

/** Runs the command and returns its exit code and its output. */
async function runCommand(words: string, env: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const errors: string[] = []
  const terminal = { out: (line: string) => void lines.push(line), err: (line: string) => void errors.push(line) }
  const code = await run(words.split(' '), env, terminal)
  return { code, out: lines.join('\n'), err: errors.join('\n') }
}

const environment = ({ secretKey, url }: { readonly secretKey: string; readonly url: string }) => ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_URL: url,
})

describe('storeport-stripe', () => {
  it.each([
    ['inspect', {}, 'Set the environment variable STRIPE_SECRET_KEY'],
    ['verify', { STRIPE_SECRET_KEY: 'sk_live_secret' }, 'verify requires a test key'],
    ['verify', { STRIPE_SECRET_KEY: 'rk_live_secret' }, 'verify requires a test key'],
    ['delete', { STRIPE_SECRET_KEY: 'sk_test_secret' }, 'The command must be inspect or verify'],
    ['inspect --key sk_test_secret', { STRIPE_SECRET_KEY: 'sk_test_secret' }, 'Unknown option'],
    ['inspect --currency usd', { STRIPE_SECRET_KEY: 'sk_test_secret' }, '--currency must be an ISO 4217 code'],
    ['inspect --emails two', { STRIPE_SECRET_KEY: 'sk_test_secret' }, '--emails must be a whole number'],
  ])('rejects %s with %o', async (words, env, message) => {
    const { code, err } = await runCommand(words, env)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).not.toContain('secret.')
  })

  it('explains an invalid key without printing the key', async () => {
    const standIn = await startStripeStandIn()
    onTestFinished(() => standIn.close())
    const { code, err } = await runCommand('inspect', environment({ ...standIn, secretKey: 'sk_test_other' }))
    expect([code, err]).toEqual([2, expect.stringContaining('Copy a valid key')])
    expect(err).not.toContain('sk_test_other')
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
    const { code, out } = await runCommand('inspect --customers 10000 --emails 5', environment(standIn))
    expect(code).toBe(0)
    expect(out).toContain('runs against a stand-in')
    expect(out).toContain(`  1 because its currency is JPY: ${yen.id}`)
    expect(out).toContain('Subscriptions that are not cancelled: 2 supported, 2 not supported')
    expect(out).toContain(`  1 because its collection is paused: ${paused}`)
    expect(out).toContain(`  1 because its currency is JPY: ${other.id}`)
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
    const { code, out } = await runCommand('verify', environment(standIn))
    expect(out).not.toContain('DIFFERENT')
    expect(code).toBe(0)
    expect(out).toContain('runs against a stand-in')
    expect(out).toContain('This stand-in: lost, done, charges: 1.')
    expect(out).toMatch(/24 equal, 1 open questions answered, 0 different$/)
    const created = (path: string) =>
      standIn.requests.filter((one) => one.method === 'POST' && one.path === path).length
    const deleted = standIn.requests.filter(({ method, path }) => method === 'DELETE' && path.includes('test_clocks'))
    expect(deleted).toHaveLength(created('/v1/test_helpers/test_clocks'))
    const archived = standIn.requests.filter(({ params }) => params['active'] === 'false')
    expect(archived).toHaveLength(created('/v1/prices') + created('/v1/products') + created('/v1/tax_rates'))
  })

  it('reports a different behavior, answers an open question, and removes what it created after a failure', async () => {
    const standIn = await startStripeStandIn({ now: () => start, trialsBillPending: true })
    onTestFinished(() => standIn.close())
    standIn.fail({ kind: 'server_error', matches: ({ method, path }) => method === 'GET' && path === '/v1/invoices' })
    const { code, out } = await runCommand('verify', environment(standIn))
    expect(code).toBe(1)
    expect(out).toMatch(/DIFFERENT addProduct \(quirk 5\)\. This stand-in: error/)
    expect(out).toMatch(/open {6}one-time item when a trial starts .* This stand-in: is billed\./)
    expect(out).toContain('Deleted the test clocks')
  })
})
