import { Discount, endpoints } from '@storeport/core'
import { type Check, type CheckContext, type Common, define, defineEach, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { readProducts } from '../shop/customers.ts'
import { eachGet, expectValid, fieldsOf, getNames, sendHarmless } from '../shop/inputs.ts'

const { should } = about('queries')

export const requirements: Requirements = {
  'QUERY-1': should(
    'A request that contains a known query parameter twice returns 400, even if both values are the same.',
    'The framework turns a repeated parameter into a list, or silently uses one of the values.',
  ),
  'QUERY-2': should(
    'Unknown query parameters are ignored, even if they are repeated.',
    'The query schema is strict, or a repeated parameter is rejected before unknown parameters are ignored.',
  ),
  'QUERY-3': should(
    'An empty `email` in listProducts is treated as absent.',
    'An empty string is treated as an address, and rejected or not found.',
  ),
  'QUERY-4': should(
    'getDiscount reads the code from `discount_code`.',
    'The code is read from a parameter with another name.',
  ),
  'QUERY-5': should('getDiscount also reads the code from `code`.', 'Only one of the two names is supported.'),
  'QUERY-6': should(
    'A request with different values of `discount_code` and `code` returns 400 `invalid_request`.',
    'One of the two values is used without an error.',
  ),
  'QUERY-7': should(
    'Invalid percent-encoding in a query does not cause a server error.',
    'The exception from `decodeURIComponent` is not caught. Catch it, and return 400.',
  ),
}

const endpointChecks = defineEach(getNames, onTheWire, (name) => ({
  [`${name}.rejects-a-repeated-parameter`]: {
    title: `A request to ${name} with a repeated query parameter returns 400, even if both values are the same.`,
    requirements: ['QUERY-1'],
    async run(t) {
      for (const [field] of fieldsOf(name)) {
        const value = field === 'email' ? t.profile.customers.unknown : t.profile.discounts.unknown
        for (const second of [value, 'someone.else@example.com', '']) {
          const query = [value, second].map((one) => `${field}=${encodeURIComponent(one)}`).join('&')
          t.rejected(await t.send({ path: `${endpoints[name].path}?${query}` }), 'invalid_request')
        }
      }
    },
  },
}))

const common: Common = { mode: 'read-only', layer: 'wire', needs: ['getDiscount'] }

const generalChecks = define(common, {
  'queries.ignore-unknown-names': {
    title: 'Unknown query parameters are ignored, even if they are repeated or malformed.',
    requirements: ['QUERY-2'],
    needs: [],
    run: eachGet(async (t, name) => {
      const names = ['utm_source=mail', 'a=1&a=2', 'Email=x&EMAIL=y', '__proto__=x', 'constructor=x']
      for (const more of [...names, 'x', '=', '&&', 'x=%']) {
        await expectValid(t, await sendHarmless(t, name, (path) => path, more), name)
      }
    }),
  },
  'queries.decode-percent-signs': {
    title: 'Percent-encoded names and values are decoded, with hexadecimal digits in either case.',
    requirements: ['EMAIL-1', 'ROUTE-1'],
    needs: ['getSubscription'],
    async run(t) {
      const { path } = endpoints.getSubscription
      const email = t.profile.customers.unknown
      for (const query of [
        `email=${email.replace('@', '%40')}`,
        `email=${email}`,
        `%65mail=${email}`,
        `email=${[...email].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')}`,
      ]) {
        await expectValid(t, await t.send({ path: `${path}?${query}` }), 'getSubscription')
      }
    },
  },
  'queries.survive-bad-encoding': {
    title: 'A request with invalid percent-encoding in a value is rejected and does not cause a server error.',
    requirements: ['QUERY-7', 'ERROR-5'],
    needs: [],
    run: eachGet(async (t, name) => {
      for (const [field] of fieldsOf(name)) {
        for (const value of ['%', '%E0%A4%A', '%zz', '%C3%28', '%ff%fe']) {
          const reply = await t.send({ path: `${endpoints[name].path}?${field}=${value}` })
          t.ok(reply.status < 500, 'a status below 500', reply)
          t.ok(reply.status === 400 || reply.status === 404, 'a rejection', reply)
          t.errorBody(reply)
        }
      }
    }),
  },
  'listProducts.treats-an-empty-email-as-absent': {
    title: '`?email=` returns the same products as a request without an email.',
    requirements: ['QUERY-3'],
    needs: ['listProducts'],
    async run(t) {
      const general = await t.call('listProducts')
      const empty = await t.send({ path: `${endpoints.listProducts.path}?email=` })
      t.accepted(empty)
      t.equal(empty.json, general.json, 'the list without an email', empty)
      t.ok((await readProducts(t)).length > 0, 'a general list that is not empty', general, 'PRODUCTS-3')
    },
  },
  'getDiscount.reads-discount-code': {
    title: 'The code is read from `discount_code`.',
    requirements: ['QUERY-4'],
    async run(t) {
      await expectDiscount(t, (code) => `discount_code=${code}`)
    },
  },
  'getDiscount.reads-code': {
    title: 'The code is read from `code`, or from both parameters if they are equal.',
    requirements: ['QUERY-5'],
    async run(t) {
      await expectDiscount(t, (code) => `code=${code}`)
      await expectDiscount(t, (code) => `code=${code}&discount_code=${code}`)
    },
  },
  'getDiscount.rejects-two-codes': {
    title:
      'A request with different values of `discount_code` and `code` returns 400 `invalid_request`, in either order.',
    requirements: ['QUERY-6'],
    async run(t) {
      const { path } = endpoints.getDiscount
      for (const query of ['discount_code=ONE&code=TWO', 'code=ONE&discount_code=TWO']) {
        t.rejected(await t.send({ path: `${path}?${query}` }), 'invalid_request')
      }
    },
  },
})

export const checks: readonly Check[] = [...endpointChecks, ...generalChecks]

async function expectDiscount(t: CheckContext, query: (code: string) => string): Promise<void> {
  const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
  const reply = await t.send({ path: `${endpoints.getDiscount.path}?${query(encodeURIComponent(code))}` })
  t.accepted(reply)
  t.equal(t.data(reply, Discount, 'DISCOUNT-1'), discount, 'the discount', reply)
}
