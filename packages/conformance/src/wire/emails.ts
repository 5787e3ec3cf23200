import { addDays, type EndpointName, endpoints } from '@storeport/core'
import { type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, readSubscription, perform } from '../shop/customers.ts'
import { readDelayed } from '../shop/changes.ts'
import { callHarmless, eachOffered, eachPost, expectValid, fieldsOf, postNames } from '../shop/inputs.ts'

const { must, should } = about('email addresses')

export const requirements: Requirements = {
  'EMAIL-1': must(
    'A request with an invalid email address is rejected.',
    'The address is looked up without validation.',
  ),
  'EMAIL-2': should(
    "An address that is valid in HTML's `input type=email` is valid in a request.",
    'A custom regular expression is too strict: it rejects `+`, apostrophes or long domains.',
  ),
  'EMAIL-3': should(
    'A request with an address that HTML rejects returns 400 `invalid_request`. Examples are quoted local parts, address literals and non-ASCII characters.',
    'A custom regular expression is too permissive, such as "anything with an @".',
  ),
  'EMAIL-4': should(
    'An address has at most 254 characters.',
    'The length is not limited, or is limited by a shorter database column.',
  ),
  'EMAIL-5': should('Whitespace around an address is ignored.', 'The address is looked up without trimming.'),
  'EMAIL-6': should('Addresses are case-insensitive.', 'The address is compared case-sensitively.'),
  'EMAIL-7': should(
    'A literal `+` in the `email` of a query remains a plus.',
    'The query is decoded as a form, where a plus means a space.',
  ),
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

export const checks: readonly Check[] = define(onTheWire, {
  'emails.accept-what-html-accepts': {
    title: 'Every address that is valid in an HTML form is valid in queries and in bodies.',
    requirements: ['EMAIL-2'],
    run: eachWithEmail(async (t, name) => {
      for (const email of accepted) await expectValid(t, await callHarmless(t, name, { email }), name)
    }),
  },
  'emails.reject-what-html-rejects': {
    title: 'A request with an email that an HTML form rejects returns 400 `invalid_request`, in queries and in bodies.',
    requirements: ['EMAIL-3', 'EMAIL-1'],
    run: eachWithEmail(async (t, name) => {
      for (const email of refused) t.rejected(await callHarmless(t, name, { email }), 'invalid_request')
    }),
  },
  'emails.have-at-most-254-characters': {
    title:
      'A request with an address of 255 characters returns 400. A request with an address of 254 characters is accepted, with or without surrounding spaces.',
    requirements: ['EMAIL-4'],
    run: eachWithEmail(async (t, name) => {
      const longest = `${'n'.repeat(242)}@example.com`
      for (const email of [longest, ` ${longest} `]) {
        await expectValid(t, await callHarmless(t, name, { email }), name)
      }
      t.rejected(await callHarmless(t, name, { email: `n${longest}` }), 'invalid_request')
    }),
  },
  'emails.are-trimmed': {
    title: 'Every read ignores spaces, tabs and line breaks around an address.',
    requirements: ['EMAIL-5'],
    needs: ['getSubscription'],
    async run(t) {
      const padded = (address: string) => [` ${address}`, `${address} `, `\t${address}\r\n`, `  ${address}  `]
      await expectSameReads(t, t.profile.customers.cancelled, padded)
    },
  },
  'emails.ignore-the-letter-case': {
    title: 'Every read returns the same response for email addresses that differ only in case.',
    requirements: ['EMAIL-6'],
    needs: ['getSubscription', 'listCancelledSubscriptions', 'listProducts'],
    async run(t) {
      await expectSameReads(t, customerOf(t, 'cancelled'), (address) => [address.toUpperCase(), mixed(address)])
    },
  },
  'emails.find-the-same-customer-in-bodies': {
    title:
      'An action applies to the same customer if the email address differs only in case or surrounding whitespace.',
    requirements: ['EMAIL-6', 'EMAIL-5'],
    mode: 'write',
    needs: ['delaySubscription', 'getSubscription'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const before = await readSubscription(t, email)
      const new_date = addDays(before.next_billing_date, 1)
      await perform(t, 'delaySubscription', { email: ` ${mixed(email)}\n`, new_date })
      t.equal((await readDelayed(t, email, before, new_date)).next_billing_date, new_date, 'next_billing_date')
    },
  },
  'emails.find-the-same-customer-in-every-action': {
    title:
      'Every action returns the same rejection for email addresses that differ only in case or surrounding whitespace.',
    requirements: ['EMAIL-6', 'EMAIL-5'],
    mode: 'write',
    run: eachPost(async (t, name) => {
      // This customer has no subscription, and the ids do not exist, so every action is rejected.
      const email = customerOf(t, 'empty')
      const { status, json } = await callHarmless(t, name, { email })
      for (const same of [mixed(email), ` ${email} `]) {
        const reply = await callHarmless(t, name, { email: same })
        t.equal(
          { status: reply.status, json: reply.json },
          { status, json },
          'the response for the plain address',
          reply,
        )
      }
    }),
  },
  'emails.preserve-a-plus-in-the-query': {
    title:
      'In the `email` of a query, a literal `+` remains a plus, `%2B` decodes to a plus, and `%20` decodes to a space.',
    requirements: ['EMAIL-7', 'EMAIL-1'],
    run: eachWithEmail(async (t, name) => {
      if (postNames.includes(name)) return
      const find = (email: string) => t.send({ path: `${endpoints[name].path}?email=${email}` })
      for (const email of ['nobody+box@example.com', 'nobody%2Bbox@example.com', 'nobody%2bbox%40example.com']) {
        await expectValid(t, await find(email), name)
      }
      const spaced = await find('nobody%20box@example.com')
      t.ok(
        spaced.status >= 400,
        'a rejection, because `%20` decodes to a space and makes the address invalid',
        spaced,
        'EMAIL-1',
      )
      t.rejected(spaced, 'invalid_request', 'EMAIL-1')
    }),
  },
})

/** Runs a check on each offered endpoint that takes an email address. */
function eachWithEmail(run: (t: CheckContext, name: EndpointName) => Promise<void>): Check['run'] {
  return eachOffered(async (t, name) => {
    if (fieldsOf(name).some(([field]) => field === 'email')) await run(t, name)
  })
}

/** Expects that each read returns the same response for each notation of an address. */
async function expectSameReads(
  t: CheckContext,
  cancelled: string | undefined,
  notationsOf: (address: string) => readonly string[],
): Promise<void> {
  const email = customerOf(t, 'subscribed')
  const reads = [
    ['getSubscription', email],
    ['listProducts', email],
    ['listCancelledSubscriptions', cancelled],
  ] as const
  for (const [name, address] of reads) {
    if (address === undefined || !t.offered.includes(name)) continue
    const answer = await read(t, name, address)
    for (const same of notationsOf(address))
      t.equal(await read(t, name, same), answer, `the response of ${name} for another notation of the address`)
  }
}

/** Sends a GET request that must succeed, and returns the response body. */
async function read(t: CheckContext, name: EndpointName, email: string): Promise<unknown> {
  const reply = await t.call(name, { email })
  t.accepted(reply)
  return reply.json
}

function mixed(text: string): string {
  return [...text].map((letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter)).join('')
}
