import type { EndpointName } from '@storeport/core'
import { type Check, onTheWire, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf } from '../shop/customers.ts'
import { callHarmless, eachPost, fieldsOf } from '../shop/inputs.ts'
import { type Outcome, type Row, toEach, toGets } from './cases.ts'

const { must, should } = about('email addresses')

export const requirements: Requirements = {
  'EMAIL-1': must('A request with an invalid email address is rejected.', 'The address is not validated.'),
  'EMAIL-2': should(
    "An address that is valid in HTML's `input type=email` is valid in a request.",
    'A custom regular expression is too strict: it rejects `+`, apostrophes or long domains.',
  ),
  'EMAIL-3': should(
    'A request with an address that HTML rejects returns 400 `invalid_request`. Examples are quoted local parts, address literals and non-ASCII characters.',
    'A custom regular expression is too permissive, such as "anything with an @".',
  ),
  'EMAIL-4': should('An address has at most 254 characters.', 'The length has no limit, or a column is shorter.'),
  'EMAIL-5': should('Whitespace around an address is ignored.', 'The address is looked up without trimming.'),
  'EMAIL-6': should('Addresses are case-insensitive.', 'The address is compared case-sensitively.'),
  'EMAIL-7': should('A literal `+` in the `email` of a query remains a plus.', 'The query is decoded as a form.'),
}

/** Email addresses that the HTML element `<input type="email">` accepts. */
const accepted = Object.values({
  signs: ["o'neil.nobody@example.com", 'a!b#c$d%e&f*g@example.com', 'nobody/1=2?3^4_5`6{7|8}9~0@example.com'],
  dots: ['.nobody..at.all.@example.com', 'nobody+box@example.com'],
  domains: ['user@localhost', 'nobody@sub-domain.1.example', `nobody@${'a'.repeat(63)}.example`],
  long: [`${'n'.repeat(242)}@example.com`],
}).flat()

/** Strings that the HTML element `<input type="email">` rejects. */
const refused = Object.values({
  parts: ['nobody', 'nobody@', '@example.com', 'nobody@@example.com'],
  spaces: ['no body@example.com', 'nobody@exam ple.com', '"no body"@example.com'],
  dots: ['nobody@example..com', 'nobody@example.com.', 'nobody@.example.com'],
  domains: ['nobody@-example.com', 'nobody@example-.com', 'nobody@exa_mple.com', 'nobody@[127.0.0.1]'],
  letters: ['nøbody@example.com', 'nobody@exämple.com', `nobody@${'a'.repeat(64)}.example`],
  more: ['Nobody <nobody@example.com>', 'nobody@example.com, other@example.com', 'mailto:nobody@example.com,'],
  lines: ['nobody@example.com\nBcc: other@example.com'],
}).flat()

const longest = `${'n'.repeat(242)}@example.com`

const takesEmail = (name: EndpointName) => fieldsOf(name).some(([field]) => field === 'email')

/** A check that sends each address to each endpoint that takes an address. */
const toEmails = (ids: Check['requirements'], outcome: Outcome, emails: readonly string[], ...more: readonly Row[]) =>
  toEach(ids, outcome, ({ name }) =>
    takesEmail(name) ? [...emails.map((email) => ({ fields: { email } })), ...more] : [],
  )

export const checks: readonly Check[] = define(onTheWire, requirements, {
  'emails.accept-what-html-accepts': toEmails(['EMAIL-2'], 'valid', accepted),
  'emails.reject-what-html-rejects': toEmails(['EMAIL-3', 'EMAIL-1'], 'invalid_request', refused),
  'emails.have-at-most-254-characters': toEmails(['EMAIL-4'], 'valid', [longest, ` ${longest} `], {
    fields: { email: `n${longest}` },
    outcome: 'invalid_request',
  }),
  'emails.preserve-a-plus-in-the-query': toGets(['EMAIL-7', 'EMAIL-1'], 'valid', ({ name }) => {
    const plus = ['nobody+box@example.com', 'nobody%2Bbox@example.com', 'nobody%2bbox%40example.com']
    const rows: readonly Row[] = plus.map((email) => ({ query: `email=${email}` }))
    const spaced: Row = { query: 'email=nobody%20box@example.com', outcome: 'invalid_request', requirement: 'EMAIL-1' }
    return takesEmail(name) ? [...rows, spaced] : []
  }),
  'emails.are-trimmed': {
    requirements: ['EMAIL-5'],
    needs: ['getSubscription'],
    run: readSame((address) => [` ${address}`, `${address} `, `\t${address}\r\n`, `  ${address}  `]),
  },
  'emails.ignore-the-letter-case': {
    requirements: ['EMAIL-6'],
    needs: ['getSubscription'],
    run: readSame((address) => [address.toUpperCase(), mixed(address)]),
  },
  'emails.find-the-same-customer-in-every-action': {
    title: 'Every action returns the same rejection if the address differs only in case or surrounding whitespace.',
    requirements: ['EMAIL-6', 'EMAIL-5'],
    mode: 'write',
    run: eachPost(async (t, name) => {
      // This customer has no subscription, and the ids do not exist, so every action is rejected.
      const email = customerOf(t, 'empty')
      const { status, json } = await callHarmless(t, name, { email })
      for (const same of [mixed(email), ` ${email} `]) {
        const reply = await callHarmless(t, name, { email: same })
        const received = { status: reply.status, json: reply.json }
        t.equal(received, { status, json }, 'the response for the plain address', reply)
      }
    }),
  },
})

/** Expects that each read returns the same response for each notation of an address. */
function readSame(notationsOf: (address: string) => readonly string[]): Check['run'] {
  return async (t) => {
    const email = customerOf(t, 'subscribed')
    for (const name of ['getSubscription', 'listProducts', 'listCancelledSubscriptions'] as const) {
      const address = name === 'listCancelledSubscriptions' ? t.profile.customers.cancelled : email
      if (address === undefined || !t.offered.includes(name)) continue
      const plain = await t.call(name, { email: address })
      t.accepted(plain)
      for (const same of notationsOf(address)) {
        const reply = await t.call(name, { email: same })
        t.accepted(reply)
        t.equal(reply.json, plain.json, `the response of ${name} for another notation of the address`)
      }
    }
  }
}

function mixed(text: string): string {
  return [...text].map((letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter)).join('')
}
