import { describe, expect, it } from 'vitest'
import { type CallOutcome, StoreError, type StorePort } from '@storeport/core'
import { integrationOf, send, subscription } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=a@b.example'
const store: StorePort = {
  getSubscription: async () => subscription,
  sendNow: async () => {},
  delaySubscription: async () => {
    throw new StoreError('customer_not_found')
  },
}

describe('observer', () => {
  const observed = () => {
    const outcomes: CallOutcome[] = []
    const integration = integrationOf(store, {
      observe: async (_, run) => {
        const outcome = await run()
        outcomes.push(outcome)
        return outcome
      },
    })
    return { outcomes, integration }
  }

  it("receives each request's outcome without customer data", async () => {
    const { outcomes, integration } = observed()
    await send(integration, portal)
    await send(integration, '/integration/customer-portal/send-now', { body: { email: 'a@b.example' } })
    await send(integration, '/integration/customer-portal/send-now', { body: { email: 'a@b.example' } })
    await send(integration, '/integration/customer-portal/delay', {
      body: { email: 'a@b.example', new_date: '2030-01-01' },
    })
    await send(integration, '/integration/nothing')
    expect(
      outcomes.map(({ endpoint, code, replayed, storeMs, answer }) => [
        endpoint,
        answer.status,
        code,
        replayed,
        storeMs !== undefined,
      ]),
    ).toEqual([
      ['getSubscription', 200, undefined, false, true],
      ['sendNow', 200, undefined, false, true],
      ['sendNow', 200, undefined, true, false],
      ['delaySubscription', 404, 'customer_not_found', false, true],
      [undefined, 404, 'endpoint_not_found', false, false],
    ])
    expect(JSON.stringify(outcomes)).not.toContain('a@b.example')
  })

  it('causes a 500 response if it throws', async () => {
    const integration = integrationOf(store, {
      onError: () => {},
      observe: async () => {
        throw new Error('broken')
      },
    })
    expect((await send(integration, portal)).status).toBe(500)
  })
})
