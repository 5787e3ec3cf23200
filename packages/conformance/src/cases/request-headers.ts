import { type Check, defineEach, onTheWire } from '../engine/check.ts'
import { effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { getNames, harmlessInput } from '../shop/inputs.ts'
import { named } from '../shop/repeats.ts'
import { inHeader } from '../wire/authentication.ts'
import { expectHandled } from '../wire/cases.ts'

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
  Origin: ['null', 'https://mail.invalid', '%'],
  Prefer: ['respond-async'],
  'Max-Forwards': ['0'],
  TE: ['trailers'],
  Authorization: ['Basic %'],
}

/** Checks that compare the response to a read with and without a header. */
export const checks: readonly Check[] = defineEach(getNames, onTheWire, (name) => ({
  [`${name}.returns-the-same-data-with-other-headers`]: {
    title: `${name} returns the same data for every language, media type and proxy that the headers name, and with any \`Idempotency-Key\`.`,
    requirements: ['ODD-4', 'RETRY-13', 'ERROR-5'],
    needs: effectiveNeeds(name),
    async run(t) {
      const code = t.profile.discounts.percentage?.code
      const isOfCode = name === 'getDiscount' && code !== undefined
      const input = isOfCode ? { discount_code: code } : await effectiveInput(t, name)
      const plain = await t.call(name, input)
      // A shop that stores responses to reads returns this response for the next request with the same key.
      const used = named()
      await t.call(name, harmlessInput(t, name), used)
      const keys = ['two words', 'x'.repeat(256), used.headers['Idempotency-Key']]
      const all = Object.entries({ ...headers, 'Idempotency-Key': keys })
      for (const [header, value] of all.flatMap(([one, values]) => values.map((given) => [one, given] as const))) {
        const reply = await t.call(name, input, { headers: { [header]: value } })
        expectHandled(t, reply, value)
        const requirement = header === 'Idempotency-Key' ? 'RETRY-13' : 'ODD-4'
        t.equal(reply.json, plain.json, `the body with ${header}: ${value}`, reply, requirement)
      }
      const again = await t.call(name, input)
      t.equal(again.json, plain.json, 'the body without these headers', again)
    },
  },
}))
