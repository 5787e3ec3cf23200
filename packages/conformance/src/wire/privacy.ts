import { type Check, onTheWire, defineEach } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { effectiveInput } from '../shop/changes.ts'
import { getNames } from '../shop/inputs.ts'

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

export const checks: readonly Check[] = defineEach(getNames, onTheWire, requirements, (name) => ({
  'is-not-cacheable': {
    requirements: ['PRIVACY-3', 'HEADER-2'],
    async run(t) {
      const { discounts } = t.profile
      const input =
        name === 'getDiscount'
          ? { discount_code: discounts.percentage?.code ?? discounts.unknown }
          : await effectiveInput(t, name)
      const whole = await t.call(name, input)
      t.equal(whole.header('Cache-Control'), 'no-store', 'Cache-Control', whole, 'HEADER-2')
      for (const header of ['Surrogate-Control', 'CDN-Cache-Control', 'Age', 'Expires']) {
        const value = whole.header(header)
        const isPast = header === 'Expires' && Date.parse(value ?? '') <= Date.now()
        const isHarmless = value === undefined || isPast || /^(?:0|-1|no-store|max-age=0)$/.test(value)
        t.ok(isHarmless, `no ${header} header that allows a cache to store the response`, whole)
      }
      const since = new Date(Date.now() + 60_000).toUTCString()
      const conditions = [
        { 'If-None-Match': whole.header('ETag') ?? '*' },
        { 'If-None-Match': '*' },
        { 'If-Modified-Since': since },
        { 'If-Unmodified-Since': new Date(0).toUTCString() },
        { 'If-Match': '"x"' },
        { Range: 'bytes=0-4' },
      ]
      for (const headers of conditions) {
        const reply = await t.call(name, input, { headers })
        t.status(reply, whole.status)
        t.equal(reply.json, whole.json, 'the body', reply)
      }
    },
  },
}))
