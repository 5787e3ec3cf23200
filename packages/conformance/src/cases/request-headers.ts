import { type Check, defineEach, onTheWire } from '../engine/check.ts'
import { effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { getNames, harmlessInput } from '../shop/inputs.ts'
import { named } from '../shop/repeats.ts'

/** Valid headers that an HTTP client, a proxy or a browser adds. Some frameworks use them to write the body. */
const headers: readonly (readonly [name: string, value: string])[] = [
  ['Accept-Language', 'de-DE,de;q=0.9'],
  ['Accept-Language', 'fr'],
  ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
  ['Accept', 'application/xml'],
  ['Accept-Charset', 'iso-8859-1'],
  ['Accept-Encoding', 'identity'],
  ['User-Agent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)'],
  ['X-Requested-With', 'XMLHttpRequest'],
  ['X-Forwarded-Host', 'other-shop.example'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-Port', '8443'],
  ['X-Forwarded-Prefix', '/other'],
  ['Forwarded', 'host=other-shop.example;proto=http'],
  ['X-Time-Zone', 'Pacific/Kiritimati'],
  ['Cookie', 'session=1; lang=de; currency=EUR'],
  ['Idempotency-Key', 'two words'],
  ['Idempotency-Key', 'x'.repeat(256)],
]

/** Checks that compare the response to a read with and without a header. */
export const checks: readonly Check[] = defineEach(getNames, onTheWire, (name) => ({
  [`${name}.returns-the-same-data-with-other-headers`]: {
    title: `${name} returns the same data for every language, media type and proxy that the headers name, and with any \`Idempotency-Key\`.`,
    requirements: ['ODD-4', 'RETRY-13'],
    needs: effectiveNeeds(name),
    async run(t) {
      const code = t.profile.discounts.percentage?.code
      const isOfCode = name === 'getDiscount' && code !== undefined
      const input = isOfCode ? { discount_code: code } : await effectiveInput(t, name)
      const plain = await t.call(name, input)
      // A shop that stores responses to reads returns this response for the next request with the same key.
      const used = named()
      await t.call(name, harmlessInput(t, name), used)
      const keys = Object.entries(used.headers)
      for (const [header, value] of [...headers, ...keys]) {
        const reply = await t.call(name, input, { headers: { [header]: value } })
        const requirement = header === 'Idempotency-Key' ? 'RETRY-13' : 'ODD-4'
        t.equal(reply.json, plain.json, `the body with ${header}: ${value}`, reply, requirement)
      }
      const again = await t.call(name, input)
      t.equal(again.json, plain.json, 'the body without these headers', again)
    },
  },
}))
