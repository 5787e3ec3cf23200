import { Discount, endpoints } from '@storeport/core'
import { type Check, onTheWire, type CheckRow, define, defineEach, tests } from '../engine/check.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import { readProducts } from '../shop/customers.ts'
import { fieldsOf, getNames } from '../shop/inputs.ts'
import { type Outcome, type Row, sendRows, to, toEach, toGets } from './cases.ts'

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
  'QUERY-3': should('An empty `email` in listProducts is treated as absent.', 'An empty string is used as an address.'),
  'QUERY-4': should('getDiscount reads the code from `discount_code`.', 'The parameter has another name.'),
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

const repeated = defineEach(getNames, onTheWire, requirements, (name) => ({
  'rejects-a-repeated-parameter': tests(['QUERY-1'], async (t) => {
    for (const [field] of fieldsOf(name)) {
      const value = field === 'email' ? t.profile.customers.unknown : t.profile.discounts.unknown
      const pair = (one: string) => `${field}=${encodeURIComponent(one)}`
      const rows = [value, 'someone.else@example.com', ''].map((second) => ({
        query: `${pair(value)}&${pair(second)}`,
      }))
      await sendRows(t, name, 'invalid_request', rows)
    }
  }),
}))

const rejected: Outcome = (t, reply) => {
  t.ok(reply.status === 400 || reply.status === 404, 'a rejection', reply)
  t.errorBody(reply)
}

/** Query parameters that the API does not define. */
const unknown = Object.values({
  names: ['utm_source=mail', 'a=1&a=2', 'Email=x&EMAIL=y', '__proto__=x', 'constructor=x', 'x', '=', '&&'],
  nested: ['a[b][c]=1', '__proto__[x]=1', 'constructor[prototype][x]=1', 'x[]=1&x=2', '[]=1', '?'],
  long: [`x=${'y'.repeat(4000)}`, 'a&'.repeat(500)],
}).flat()

const general = define({ ...onTheWire, needs: ['getDiscount'] }, requirements, {
  'queries.ignore-unknown-names': {
    ...toEach(['QUERY-2', 'ODD-4', 'ERROR-5'], 'valid', ({ name }) => {
      const [field = 'email'] = fieldsOf(name)[0] ?? []
      const nested = ['[]=x', '[a]=x', '.a=x', '%00=x'].map((end) => field + end)
      return [
        ...['x=%', 'x=%E0%A4%A', '%=1', '%zz', '%C3%28=%ff'].map((more): Row => ({ more, requirement: 'ERROR-5' })),
        ...unknown.map((more) => ({ more })),
        ...nested.map((more): Row => ({ more, requirement: 'ODD-4' })),
      ]
    }),
    needs: [],
  },
  'queries.decode-percent-signs': {
    ...to('getSubscription')(['EMAIL-1', 'ROUTE-1'], 'valid', ({ t }) => {
      const email = t.profile.customers.unknown
      const encoded = [...email].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
      const values = [`email=${email.replace('@', '%40')}`, `email=${email}`, `%65mail=${email}`, `email=${encoded}`]
      return values.map((query) => ({ query }))
    }),
    title: 'Percent-encoded names and values are decoded, with hexadecimal digits in either case.',
    needs: ['getSubscription'],
  },
  'queries.survive-bad-encoding': {
    ...toGets(['QUERY-7', 'ERROR-5'], rejected, ({ name }) =>
      fieldsOf(name).flatMap(([field]) =>
        ['%', '%E0%A4%A', '%zz', '%C3%28', '%ff%fe'].map((value) => ({ query: `${field}=${value}` })),
      ),
    ),
    needs: [],
  },
  'listProducts.treats-an-empty-email-as-absent': {
    requirements: ['QUERY-3'],
    needs: ['listProducts'],
    async run(t) {
      const whole = await t.call('listProducts')
      const empty = await t.send({ path: `${endpoints.listProducts.path}?email=` })
      t.accepted(empty)
      t.equal(empty.json, whole.json, 'the list without an email', empty)
      t.ok((await readProducts(t)).length > 0, 'a general list that is not empty', whole, 'PRODUCTS-3')
    },
  },
  'getDiscount.reads-discount-code': reading('QUERY-4', (code) => [`discount_code=${code}`]),
  'getDiscount.reads-code': reading('QUERY-5', (code) => [`code=${code}`, `code=${code}&discount_code=${code}`]),
  'getDiscount.rejects-two-codes': to('getDiscount')(['QUERY-6'], 'invalid_request', () =>
    ['discount_code=ONE&code=TWO', 'code=ONE&discount_code=TWO'].map((query) => ({ query })),
  ),
})

export const checks: readonly Check[] = [...repeated, ...general]

/** A check that expects each query to find the discount of a code. */
function reading(requirement: RequirementId, queriesOf: (code: string) => readonly string[]): CheckRow {
  return {
    requirements: [requirement],
    async run(t) {
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      for (const query of queriesOf(encodeURIComponent(code))) {
        const reply = await t.send({ path: `${endpoints.getDiscount.path}?${query}` })
        t.accepted(reply)
        t.equal(t.data(reply, Discount, 'DISCOUNT-1'), discount, 'the discount', reply)
      }
    },
  }
}
