import { apiKey } from '../shop.ts'
import type { RawRequest } from './requests.ts'
import type { ProbeAnswer, Subject } from './subject.ts'

const key = { 'X-Integration-API-Key': apiKey }
const json = { ...key, 'Content-Type': 'application/json' }

/** What every variant is asked before it is timed. */
const probes: Readonly<Record<string, RawRequest>> = {
  'a subscription': subscriptionOf('customer@example.com', { ...key, 'X-Request-Id': 'probe-1' }),
  'an answer with too many fields and digits': subscriptionOf('untidy@example.com', { ...key, 'X-Request-Id': 'p-2' }),
  'a delay': delay({ email: 'customer@example.com', new_date: '2031-01-01' }, { ...json, 'X-Request-Id': 'p-3' }),
  'an answer that the API does not allow': subscriptionOf('wrong@example.com', key),
  'an unknown customer': subscriptionOf('stranger@example.com', key),
  'a store that hangs': subscriptionOf('hangs@example.com', key),
  'no key': subscriptionOf('customer@example.com', {}),
  'a wrong key': subscriptionOf('customer@example.com', { 'X-Integration-API-Key': `${apiKey}x` }),
  'no email': subscriptionOf('nobody', key),
  'no field': delay({ email: 'customer@example.com' }, json),
  'a date that does not exist': delay({ email: 'customer@example.com', new_date: '2031-02-30' }, json),
  'a path that does not exist': { method: 'GET', path: '/integration/nothing', headers: key },
}

/** Throws unless a variant answers as the one by hand: the same bytes for a success, the same status for a refusal. */
export async function checkAnswers(name: string, subject: Subject, byHand: Subject): Promise<void> {
  for (const [what, request] of Object.entries(probes)) {
    const [expected, actual] = await Promise.all([byHand.probe(request), subject.probe(request)])
    const same =
      expected.status === 200 ? comparable(expected) === comparable(actual) : expected.status === actual.status
    if (!same) throw new Error(`${name}, ${what}: ${comparable(actual)} instead of ${comparable(expected)}`)
  }
}

/** The bytes of an answer and its headers; a framework may name its character set and send its length, or not. */
function comparable({ status, headers, body }: ProbeAnswer): string {
  const named = ['cache-control', 'x-content-type-options', 'x-request-id'].map((name) => headers[name])
  return JSON.stringify([status, headers['content-type']?.split(';', 1)[0], ...named, body])
}

function subscriptionOf(email: string, headers: Readonly<Record<string, string>>): RawRequest {
  const query = new URLSearchParams({ email })
  return { method: 'GET', path: `/integration/customer-portal/subscription?${query}`, headers }
}

function delay(body: object, headers: Readonly<Record<string, string>>): RawRequest {
  return { method: 'POST', path: '/integration/customer-portal/delay', headers, body: JSON.stringify(body) }
}
