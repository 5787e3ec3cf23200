import { StoreError } from '@storeport/core'
import { requirements, collectReport, runChecks, type Send, sendByHttp } from '@storeport/conformance'
import { delaySubscription, soonest } from '@storeport/rules'
import { expect, it, onTestFinished } from 'vitest'
import { type Answered, isRecord, type Sent, withFields, withHeader } from './messages.ts'
import { keys, type Mutant, start } from './mutant.ts'
import { serveSpecification } from './shop-of-the-specification.ts'

/** Codes and statuses of the shop's own: what is specified names 401, and 404 for the subscription, and no code. */
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

/** A shop that does what the contract specifies (docs/guide/contract.md, level must) and hardly anything that was decided beyond it. */
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

async function failures(send: Send, secondApiKey?: string) {
  const { results } = await collectReport(runChecks({ send, apiKey: keys.first, secondApiKey, mode: 'stress' }))
  const failed = results.flatMap(({ check, failure }) => (failure === undefined ? [] : [{ check: check.id, failure }]))
  const ofSpecification = failed.filter(({ failure }) => requirements[failure.requirement]?.level === 'must')
  return { all: failed.length, must: ofSpecification.map(({ check, failure }) => `${check}: ${failure.message}`) }
}

it('a shop that decides all that is open otherwise fails no requirement of level must', async () => {
  const { all, must } = await failures(start(plainShop), keys.second)
  expect(must).toEqual([])
  expect(all).toBeGreaterThan(50)
})

it('a shop that was written from what is specified alone fails no requirement of level must', async () => {
  const { url, close } = await serveSpecification(keys.first)
  onTestFinished(close)
  const { all, must } = await failures(sendByHttp(url))
  expect(must).toEqual([])
  expect(all).toBeGreaterThan(50)
})
