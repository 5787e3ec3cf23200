import { type Check, type CheckContext, onTheWire, defineEach, tests } from '../engine/check.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import type { EndpointName } from '@storeport/core'
import { effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { getNames, harmlessInput } from '../shop/inputs.ts'
import { named } from '../shop/repeats.ts'
import { inHeader } from './authentication.ts'
import { expectHandled } from './cases.ts'

const { should } = about('privacy')

export const requirements: Requirements = {
  'PRIVACY-1': should(
    'An error message never repeats data from the request, except field names.',
    "The message contains the value, the path or the JSON parser's message, which then appears in logs and on screens.",
  ),
  'PRIVACY-2': should(
    'A request with an id that belongs to another customer returns the same response as a request with an id that does not exist.',
    'The id is looked up before its owner is checked, and the response is different if the owner does not match.',
  ),
  'PRIVACY-3': should(
    'No response header allows a cache to store the response, and a conditional or partial request returns the full response.',
    'A framework adds `ETag` and returns 304, or a proxy in front adds its own headers.',
  ),
}

/** Headers that a client, a proxy or an attacker may add, each with its values. Some frameworks use them for the response. */
const headers: Readonly<Record<string, readonly string[]>> = {
  Accept: ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'application/xml', '*/*;q=0', ';;', 'x'],
  'Accept-Language': ['de-DE,de;q=0.9', 'x'.repeat(3000), '*;q=nonsense', '../../etc/passwd'],
  'Accept-Charset': ['iso-8859-1'],
  'Accept-Encoding': ['identity'],
  'User-Agent': ['', "' OR 1=1 --", 'x'.repeat(3000), inHeader('зонд/1.0')],
  Cookie: ['session=1; lang=de; currency=EUR', '=;=', `a=${'x'.repeat(3000)}`, 'a="', '__proto__=1'],
  'X-Requested-With': ['XMLHttpRequest'],
  'X-Forwarded-For': ['127.0.0.1', "1.1.1.1, '", 'unknown, '.repeat(200)],
  'X-Forwarded-Host': ['other-shop.example', 'a b', '..'],
  'X-Forwarded-Proto': ['http', 'javascript', 'https, http'],
  'X-Forwarded-Port': ['8443'],
  'X-Forwarded-Prefix': ['/other'],
  Forwarded: ['host=other-shop.example;proto=http'],
  'X-Original-URL': ['/no-such-path', '/admin'],
  'X-Rewrite-URL': ['/no-such-path', '/admin'],
  'X-Time-Zone': ['Pacific/Kiritimati'],
  traceparent: ['00-zz', '00-00000000000000000000000000000000-0000000000000000-00'],
  baggage: ['x'.repeat(2000), '%', 'a=b,,'],
  TE: ['trailers'],
  Authorization: ['Basic %'],
}

/** Checks that compare the response to a read with and without a header. */
export const checks: readonly Check[] = defineEach(getNames, onTheWire, requirements, (name) => ({
  'is-not-cacheable': tests(['PRIVACY-3', 'HEADER-2'], async (t) => {
    const whole = await t.call(name, await inputOf(t, name))
    t.equal(whole.header('Cache-Control'), 'no-store', 'Cache-Control', whole, 'HEADER-2')
    for (const header of ['Surrogate-Control', 'CDN-Cache-Control', 'Age', 'Expires']) {
      const value = whole.header(header)
      const isPast = header === 'Expires' && Date.parse(value ?? '') <= Date.now()
      const isHarmless = value === undefined || isPast || /^(?:0|-1|no-store|max-age=0)$/.test(value)
      t.ok(isHarmless, `no ${header} header that allows a cache to store the response`, whole)
    }
    await expectSameData(t, name, 'PRIVACY-3', {
      'If-None-Match': [whole.header('ETag') ?? '*', '*'],
      'If-Modified-Since': [new Date(Date.now() + 60_000).toUTCString()],
      'If-Unmodified-Since': [new Date(0).toUTCString()],
      'If-Match': ['"x"'],
      Range: ['bytes=0-4'],
    })
  }),
  'returns-the-same-data-with-other-headers': {
    title:
      'The data is the same for every language, media type and proxy that the headers name, and with any `Idempotency-Key`.',
    requirements: ['ODD-4', 'RETRY-13', 'ERROR-5'],
    needs: effectiveNeeds(name),
    async run(t) {
      // A shop that stores responses to reads returns this response for the next request with the same key.
      const used = named()
      await t.call(name, harmlessInput(t, name), used)
      const keys = ['two words', 'x'.repeat(256), used.headers['Idempotency-Key']]
      await expectSameData(t, name, 'ODD-4', headers)
      await expectSameData(t, name, 'RETRY-13', { 'Idempotency-Key': keys })
    },
  },
}))

/** Returns the input of a read that returns data. */
async function inputOf(t: CheckContext, name: EndpointName) {
  const { percentage } = t.profile.discounts
  return name === 'getDiscount' && percentage !== undefined
    ? { discount_code: percentage.code }
    : effectiveInput(t, name)
}

/** Expects that a read returns the same data with each value of the headers, and then without them. */
async function expectSameData(
  t: CheckContext,
  name: EndpointName,
  requirement: RequirementId,
  values: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const input = await inputOf(t, name)
  const plain = await t.call(name, input)
  for (const [header, all] of Object.entries(values)) {
    for (const value of all) {
      const reply = await t.call(name, input, { headers: { [header]: value } })
      expectHandled(t, reply, value)
      t.status(reply, plain.status, requirement)
      t.equal(reply.json, plain.json, `the body with ${header}: ${value}`, reply, requirement)
    }
  }
  const again = await t.call(name, input)
  t.equal(again.json, plain.json, 'the body without these headers', again, requirement)
}
