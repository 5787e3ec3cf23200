import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, defineEach, onceInAShop, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { effectiveInput, effectiveNeeds } from '../shop/changes.ts'
import { callHarmless, type FieldKind, fieldsOf, getNames, harmlessJson, idNames, json, post } from '../shop/inputs.ts'

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

/** A word that error messages do not contain by chance. */
const marker = 'zq7wvx'

/** Values that contain the marker. Each value is invalid, or refers to a customer or a record that does not exist. */
const markedValues: Readonly<Record<FieldKind, readonly unknown[]>> = {
  email: [marker, `${marker}@example.com`, `${marker}@`, `${marker}@${'x'.repeat(300)}`, [marker], { [marker]: 1 }],
  id: [marker, `${marker}${'x'.repeat(300)}`, `${marker}\u0000`, [marker], { [marker]: 1 }],
  date: [marker, `${marker}-01-01`, `2030-01-01${marker}`, [marker]],
  quantity: [marker, `1${marker}`, [marker], { [marker]: 1 }],
  flag: [marker, [marker], { [marker]: true }],
}

const messages = defineEach(endpointNames, onTheWire, (name) => ({
  [`${name}.repeats-no-input-in-an-error`]: {
    title: `No error response from ${name} repeats values from the path, the query or the body.`,
    requirements: ['PRIVACY-1'],
    async run(t) {
      const { method, path } = endpoints[name]
      const isPost = method === 'POST'
      const replies = [
        await t.send({ method, path: `${path}/${marker}`, headers: json, ...(isPost && { body: '{}' }) }),
      ]
      for (const [field, { kind }] of fieldsOf(name)) {
        for (const value of markedValues[kind].filter((one) => isPost || typeof one === 'string')) {
          replies.push(await callHarmless(t, name, { [field]: value }))
        }
        if (isPost) continue
        for (const query of [`${field}=${marker}&${field}=${marker}`, `${field}=${marker}%`, `${field}=${marker}%ff`]) {
          replies.push(await t.send({ path: `${path}?${query}` }))
        }
      }
      if (isPost) replies.push(...(await brokenBodies(t, name)))
      for (const reply of replies) expectNoMarker(t, reply)
    },
  },
}))

/** A date in the past, in a form that messages do not contain by chance. */
const pastDate = '1987-06-05'

const ids = defineEach([...idNames, 'delaySubscription'], onceInAShop, (name) => ({
  [`${name}.repeats-no-id-in-an-error`]: {
    title: `An error response from ${name} does not repeat the id, code or date from the request.`,
    requirements: ['PRIVACY-1'],
    // Uses an existing customer, since a shop searches for the id only if the customer exists.
    needs: effectiveNeeds(name),
    async run(t) {
      const input = await effectiveInput(t, name)
      for (const [field, { kind }] of fieldsOf(name)) {
        for (const value of rejectedValues(t, field, kind)) {
          const reply = await t.call(name, { ...input, [field]: value })
          t.ok(reply.status >= 400, 'a rejection', reply)
          expectNoMarker(t, reply, value)
        }
      }
    },
  },
}))

const fresh = defineEach(getNames, onTheWire, (name) => ({
  [`${name}.is-not-cacheable`]: {
    title: `No header allows a cache to store a response of ${name}, and a conditional or partial request returns the full response.`,
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

export const checks: readonly Check[] = [...messages, ...ids, ...fresh]

async function brokenBodies(t: CheckContext, name: EndpointName): Promise<readonly Reply[]> {
  const replies = [
    await post(t, name, harmlessJson(t, name), `text/${marker}`),
    await callHarmless(t, name, {}, { headers: { 'Idempotency-Key': `${marker} ${marker}` } }),
  ]
  for (const body of [`{"email":${marker}}`, marker, `"${marker}"`, `["${marker}"]`, `{"${marker}":1}`]) {
    replies.push(await post(t, name, body))
  }
  return replies
}

/** Returns values of a field that the shop rejects, although their form is valid. */
function rejectedValues(t: CheckContext, field: string, kind: FieldKind): readonly string[] {
  if (kind === 'date') return [pastDate]
  if (kind !== 'id') return []
  const { expired } = t.profile.discounts
  return field === 'discount_code' && expired !== undefined ? [marker, expired] : [marker]
}

function expectNoMarker(t: CheckContext, reply: Reply, value = marker): void {
  if (reply.status === 200) return
  t.ok(!reply.text.toLowerCase().includes(value.toLowerCase()), 'a message without data from the request', reply)
}
