import { StoreError } from '@storeport/core'
import { requirements, collectReport, runChecks } from '@storeport/conformance'
import { delaySubscription, soonest } from '@storeport/rules'
import { expect, it } from 'vitest'
import { type Answered, isRecord, type Sent, withFields, withHeader } from './messages.ts'
import { keys, type Mutant, start } from './mutant.ts'
import { now } from './shop-of-rules.ts'

/**
 * Replaces all error codes and statuses, except the statuses in the specification: 401, and 404 for the subscription.
 */
function ownErrors(answered: Answered, sent: Sent): Answered {
  const status = [400, 405, 413, 415, 422].includes(answered.status) ? 422 : answered.status
  const isSubscription = sent.path.endsWith('/customer-portal/subscription')
  const own = status === 404 && !isSubscription ? 409 : status
  return withFields({ ...answered, status: own }, ({ error, ...fields }) => {
    return isRecord(error)
      ? { ...fields, error: { code: `E-${String(error['code']).toUpperCase()}`, message: 'That did not work.' } }
      : { ...fields, error }
  })
}

function bareHeaders(answered: Answered): Answered {
  const names = ['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', 'WWW-Authenticate', 'Allow']
  const bare = names.reduce<Answered>((message, name) => withHeader(message, name), answered)
  return withHeader(bare, 'Content-Type', 'application/json')
}

/** A shop that meets the requirements of level "must" (docs/guide/contract.md) but fails most other requirements. */
const plainShop: Partial<Mutant> = {
  options: { retries: false, maxBodyBytes: 1_000_000, maxQuantity: 1_000_000 },
  find: (email, accounts) => accounts.get(email),
  request: (sent) => ({
    ...sent,
    path: sent.path.replace(/\/$/, '').toLowerCase(),
    query: sent.query.replaceAll('+', '%20'),
  }),
  answer: (answered, sent) => bareHeaders(ownErrors(answered, sent)),
  rules: {
    delaySubscription: (account, input, shop) => {
      if (soonest(account.subscriptions)?.next_billing_date === input.new_date) throw new StoreError('invalid_date')
      return delaySubscription(account, input, shop)
    },
  },
}

it(
  'passes every requirement of level "must" with a shop that fails most other requirements',
  { timeout: 180_000 },
  async () => {
    const target = { send: start(plainShop), now, apiKey: keys.first, secondApiKey: keys.second }
    const { results } = await collectReport(
      runChecks({ ...target, mode: 'stress', explore: { seed: 1, timeMs: 1000 } }),
    )
    const failures = results.flatMap(({ check, failure }) => (failure === undefined ? [] : [{ check, ...failure }]))
    const musts = failures.filter(({ requirement }) => requirements[requirement]?.level === 'must')
    expect(musts.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([])
    expect(failures.length).toBeGreaterThan(50)
  },
)
