import { expect, it } from 'vitest'
import { compare, learnNothing, type Openness } from '../../src/explore/compare.ts'
import { type Change, createModelShop, type Expected, expectFrom, predict } from '../../src/explore/model.ts'
import { seedProfile } from '../../src/index.ts'

const email = 'ann@shop.example'
const today = '2026-03-10'
const product = { id: 'a', title: 'A', price: 19.95, images: [] }
const other = { id: 'b', title: 'B', price: 29.95, images: [] }
const model = createModelShop([product, other], seedProfile, today)
const item = { ...product, quantity: 2 }
const current = { next_billing_date: '2026-04-01', items: [item], order_discount_total: 5 }

const add = (quantity: number, discount_code?: string): Change => ({
  name: 'addProduct',
  input: { email, product_id: 'a', quantity, one_time: false, ...(discount_code !== undefined && { discount_code }) },
})

const afterAll = (first: typeof current, changes: readonly Change[]): Expected =>
  changes.reduce(
    (state, change) => predict(state, change, model).after,
    expectFrom(email, { current: first, cancelled: [] }, model, false),
  )
const after = (...changes: readonly Change[]) => afterAll(current, changes)
/** The state after changes of an order that had no discount before. */
const afterNone = (...changes: readonly Change[]) => afterAll({ ...current, order_discount_total: 0 }, changes)

/** Returns the part that differs from the expected state, or `same`. */
function differenceOf(state: Expected, change: object, learned = learnNothing(), openness?: Openness): string {
  const result = compare(state, { current: { ...current, ...change }, cancelled: [] }, model, learned, openness)
  return 'state' in result ? 'same' : result.difference.part
}

const five = { items: [{ ...item, quantity: 5 }] }

it.each<[string, Expected, object, string]>([
  ['the unchanged data', after(), {}, 'same'],
  ['an addition', after(add(3)), five, 'same'],
  ['an addition without effect', after(add(3)), {}, 'lines'],
  ['a different date', after(), { next_billing_date: '2026-04-02' }, 'date'],
  ['a percentage, rounded half up', after(add(3, 'TEST10')), { ...five, order_discount_total: 10.99 }, 'same'],
  ['a percentage, rounded half to even', after(add(3, 'TEST10')), { ...five, order_discount_total: 10.98 }, 'same'],
  [
    'a percentage, rounded down',
    afterNone(add(1, 'TEST10'), add(2)),
    { ...five, order_discount_total: 1.99 },
    'discount',
  ],
  [
    'a percentage, rounded with an earlier one',
    after(add(1, 'TEST10'), add(2)),
    { ...five, order_discount_total: 6.99 },
    'same',
  ],
  [
    'a fixed code for two additions',
    after(add(1, 'FIVEOFF'), add(2, 'FIVEOFF')),
    { ...five, order_discount_total: 10 },
    'same',
  ],
  [
    'a fixed code that counts twice',
    after(add(1, 'FIVEOFF'), add(2, 'FIVEOFF')),
    { ...five, order_discount_total: 15 },
    'discount',
  ],
])('compares %s', (_, state, change, part) => {
  expect(differenceOf(state, change)).toBe(part)
})

it('accepts a way of rounding only if it is the same in all responses', () => {
  const learned = learnNothing()
  const third = afterNone(add(3, 'TEST10'))
  expect(differenceOf(third, { ...five, order_discount_total: 5.98 }, learned)).toBe('same')
  expect(new Set(learned.ways.map(({ rounding }) => rounding))).toEqual(new Set(['even']))
  expect(differenceOf(third, { ...five, order_discount_total: 5.99 }, learned)).toBe('discount')
})

it('does not learn an earlier discount while a percentage has an invisible fraction', () => {
  const unseen = { ...after(add(3, 'TEST10')), bases: new Map(), unseen: new Set(['known_0']) }
  // An earlier discount of 1.995, which is 2.00 alone, and 7.98 with the 5.985 of the addition.
  const seen = { current: { ...current, ...five, order_discount_total: 7.98 }, cancelled: [] }
  const learned = learnNothing()
  const result = compare(unseen, seen, model, learned)
  if (!('state' in result)) return expect.fail(result.difference.part)
  const undone = predict(result.state, { name: 'undoAddProduct', input: { email, product_id: 'a' } }, model).after
  expect(differenceOf(undone, { order_discount_total: 2 }, learned)).toBe('same')
})

it('accepts a subscription that was not visible, only after a change of the date', () => {
  const delayed = after({ name: 'delaySubscription', input: { email, new_date: '2026-05-01' } })
  const hidden = { next_billing_date: '2026-04-20', items: [{ ...other, quantity: 1 }], order_discount_total: 0 }
  expect(differenceOf(delayed, hidden, learnNothing(), { revealedFrom: '2026-04-01' })).toBe('same')
  expect(differenceOf(delayed, hidden)).toBe('lines')
  expect(
    differenceOf(delayed, { ...hidden, next_billing_date: '2026-03-20' }, learnNothing(), {
      revealedFrom: '2026-04-01',
    }),
  ).toBe('lines')
})

it('takes the current subscription for the expected one if another has the same items and the same date', () => {
  const state = after()
  const [first] = state.account.subscriptions
  if (first?.status !== 'active') return expect.fail('no subscription')
  const twin = { ...first, id: 'twin', next_billing_date: `${first.next_billing_date}~` }
  const bases = new Map(state.bases).set('twin', { discount: 0, total: 3990 })
  const account = { ...state.account, subscriptions: [twin, first] }
  expect(differenceOf({ ...state, account, bases }, {})).toBe('same')
})

it('predicts that a second order on one day is rejected, after any other change', () => {
  const state = after({ name: 'sendNow', input: { email } }, add(1))
  expect(predict(state, { name: 'sendNow', input: { email } }, model).isAccepted).toBe(false)
})
