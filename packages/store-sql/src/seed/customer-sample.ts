import { addDays } from '@storeport/rules'
import type { Interval } from '@storeport/rules'

/** The products that samples choose from. */
export interface SampleProduct {
  /** The product. */
  readonly id: string
  /** Price of one unit, in minor units. */
  readonly price_minor: number
}

/** The made-up customer of a number: always the same for the same number, date and products. */
export function customerSample(number: number, today: string, products: readonly SampleProduct[]) {
  const dice = createDice(number)
  const suffix = String(number).padStart(7, '0')
  const customer = {
    id: `${samplePrefix}${suffix}`,
    email: `customer${suffix}@example.com`,
    last_sent_on: null,
    last_sent_at: null,
  }
  const kind = dice.pick(kinds)
  const subscriptions = [...kind].map((state, index) => {
    const id = `sub_${suffix}_${index + 1}`
    const interval = dice.pick(intervals)
    const contents = dice.some(products, dice.between(1, 4)).map(({ id: product_id, price_minor }, place) => ({
      id: `item_${suffix}_${index + 1}_${place + 1}`,
      subscription_id: id,
      product_id,
      quantity: dice.between(1, 3),
      price_minor,
      one_time: false,
      position: place + 1,
    }))
    const row = {
      id,
      customer_id: customer.id,
      title: interval.count === 1 ? `Every ${interval.unit}` : `Every ${interval.count} ${interval.unit}s`,
      interval_unit: interval.unit,
      interval_count: interval.count,
      status: state === 'a' ? ('active' as const) : ('cancelled' as const),
      next_billing_date: state === 'a' ? addDays(today, dice.between(1, 60)) : null,
      cancelled_on: state === 'a' ? null : addDays(today, -dice.between(1, 700)),
      shipping_minor: dice.pick([0, 399, 599]),
      order_discount_minor: dice.pick([0, 0, 0, 500]),
      tax_rate: dice.pick([0, 0.07, 0.08, 0.19]),
    }
    return { row, items: contents }
  })
  const recommendations = dice.some(products, dice.between(0, 5)).map(({ id: product_id }, index) => ({
    customer_id: customer.id,
    rank: index + 1,
    product_id,
  }))
  return { customer, subscriptions, recommendations }
}

/** What the ids of made-up customers start with. */
export const samplePrefix = 'sample_'

/** Active and cancelled subscriptions of a customer, as often as they occur: one in ten has none. */
const kinds = ['', 'a', 'a', 'a', 'a', 'a', 'aa', 'ac', 'c', 'cc']

const intervals: readonly Interval[] = [
  { unit: 'month', count: 1 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 2 },
  { unit: 'week', count: 2 },
  { unit: 'week', count: 6 },
]

/** Throws that look random and are the same every time (the generator mulberry32). */
function createDice(seed: number) {
  let state = Math.imul(seed, 0x9e3779b1)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value => {
    const value = values[between(0, values.length - 1)]
    if (value === undefined) throw new Error('There is nothing to pick.')
    return value
  }
  /** Some of the values, each once, in an order of their own. */
  const some = <Value>(values: readonly Value[], count: number): readonly Value[] => {
    const left = [...values.keys()].slice(0, values.length)
    const taken: Value[] = []
    while (taken.length < count && left.length > 0) {
      const [index = 0] = left.splice(between(0, left.length - 1), 1)
      const value = values[index]
      if (value !== undefined) taken.push(value)
    }
    return taken
  }
  return { between, pick, some }
}
