import { createMemoryStore } from '@storeport/store-memory'
import { endpointNames, endpoints, type ErrorCode } from '@storeport/core'
import { expect, it } from 'vitest'
import { type Check, checks, runCheck, sendTo } from '../src/index.ts'
import { apiKey, createShop, secondApiKey } from './shop.ts'

/** Error codes that no check can cause with the seed data, each with the reason. */
const unreachable: Readonly<Partial<Record<ErrorCode, string>>> = {
  payment_failed: 'no customer of the seed has a failing payment; a profile can list one under `refusals`',
  action_not_allowed: 'every action of the seed is allowed; a profile can list one under `refusals`',
  order_not_processable: 'no call empties a subscription; a profile can list one under `refusals`',
}

/** Error codes of the HTTP layer, which are not specific to an endpoint. */
const ofTransport: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'endpoint_not_found',
  'endpoint_not_available',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
]

it('expects every error code of every endpoint in at least one check', { timeout: 300_000 }, async () => {
  const { getDiscount: _left, ...partial } = createMemoryStore()
  const seen = new Set<string>()
  for (const check of checks) {
    for (const offered of [endpointNames, endpointNames.filter((name) => name !== 'getDiscount')]) {
      const isWhole = offered.length === endpointNames.length
      if (!isWhole && check.id !== 'routing.serves-every-path') continue
      const send = sendTo(isWhole ? createShop() : createShop({ store: partial }))
      const { failure } = await runCheck(recording(check, seen), { send, apiKey, secondApiKey, offered, fresh: true })
      expect(failure?.message).toBeUndefined()
    }
  }

  const wanted = endpointNames.flatMap((name) => endpoints[name].errors.map((code) => `${name} ${code}`))
  const missing = wanted.filter((pair) => !seen.has(pair) && !isUnreachable(pair))
  expect(missing).toEqual([])
  const codes = new Set([...seen].map((pair) => pair.split(' ')[1]))
  expect(ofTransport.filter((code) => !codes.has(code))).toEqual([])
  expect(Object.keys(unreachable).filter((code) => codes.has(code))).toEqual([])
})

/** Wraps a check to record every error code that the check expects, with the endpoint of the request. */
function recording(check: Check, seen: Set<string>): Check {
  return {
    ...check,
    run: (t) =>
      check.run({
        ...t,
        rejected(reply, code, requirement) {
          const name = endpointNames.find((endpoint) => reply.request.target.includes(endpoints[endpoint].path))
          seen.add(`${name ?? 'path'} ${code}`)
          t.rejected(reply, code, requirement)
        },
      }),
  }
}

function isUnreachable(pair: string): boolean {
  return Object.keys(unreachable).some((code) => pair.endsWith(` ${code}`))
}
