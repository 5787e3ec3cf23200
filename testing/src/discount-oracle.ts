import { type ErrorCode, StoreError } from '@storeport/core'
import type { ShopData } from '@storeport/rules'

/*
 * An independent model of discounts, in which every unit is an object with its codes. It has no items with quantities,
 * no uses of codes and no ids, so that it cannot share a defect with the rules.
 */

export const today = '2026-03-10'
export const email = 'one@example.com'

const prices: Readonly<Record<string, number>> = { pear: 1995, plum: 999, fig: 5, kiwi: 4995 }
const worths: Readonly<Record<string, Worth>> = {
  TEN: { percent: 10 },
  SIXTY: { percent: 60 },
  THIRD: { percent: 33.3333 },
  ONCE: { percent: 12.5, limit: 1 },
  FIVE: { cents: 500 },
  TWICE: { cents: 301, limit: 2 },
}

type Worth = ({ readonly percent: number } | { readonly cents: number }) & { readonly limit?: number }

export const products = Object.keys(prices)
export const codes = [...Object.keys(worths), 'NONE']

/** One change of the customer. `line` is the place of an item. */
export type Step =
  | { readonly do: 'add'; readonly product: string; readonly quantity: number; readonly once: boolean; code?: string }
  | { readonly do: 'undo'; readonly product: string }
  | { readonly do: 'swap'; readonly line: number; readonly product: string; code?: string }
  | { readonly do: 'reactivate'; readonly subscription: string; code?: string }
  | { readonly do: 'send' }

/** A unit of a product. */
interface Unit {
  readonly codes: Set<string>
  readonly add: Add | undefined
}

interface Add {
  readonly product: string
  readonly goods: Goods
  readonly line: Line
  order: Order | undefined
}

interface Line {
  product: string
  readonly once: boolean
  price: number
  units: Unit[]
}

/** The goods of one order: of a subscription, or a one-off order. */
interface Goods {
  date: string | undefined
  lines: Line[]
  readonly base: number
}

/** What a customer or a merchant can see after a step. */
export interface Seen {
  /** Items of the next order, and its discount in cents; `undefined` without a subscription. */
  readonly next: { readonly items: readonly string[]; readonly discount: number } | undefined
  /** Discounts of all orders in cents, oldest first. */
  readonly orders: readonly number[]
  /** Codes that a new order can use. */
  readonly usable: readonly string[]
}

/** Subscriptions in the sequence of their ids, which decides between equal dates. */
const start: Readonly<Record<string, { readonly date?: string; readonly base: number; readonly items: object }>> = {
  active: { date: '2026-03-20', base: 100, items: { pear: 2, plum: 1 } },
  empty: { base: 0, items: {} },
  later: { date: '2026-03-25', base: 0, items: { kiwi: 1 } },
  old: { base: 0, items: { pear: 1, fig: 3 } },
}

/** Returns the data of a store with the customer of the model. */
export function oracleData(hasSubscription: boolean): ShopData {
  const subscriptions = Object.entries(start).map(([id, { date, base, items }]) => ({
    id,
    interval: { unit: 'day', count: 30 } as const,
    order_discount_total: base / 100,
    items: Object.entries(items).map(([product_id, quantity]) => ({ id: `${id}_${product_id}`, product_id, quantity })),
    ...(date !== undefined && hasSubscription ? { next_billing_date: date } : { cancelled_on: today }),
  }))
  return {
    products: Object.entries(prices).map(([id, price]) => ({ id, title: id, price: price / 100, images: [] })),
    discounts: Object.entries(worths).map(([code, { limit, ...worth }]) => ({
      code,
      ...('percent' in worth
        ? { discount_type: 'percentage', discount_percentage: worth.percent }
        : { discount_type: 'fixed_amount', discount_amount: worth.cents / 100 }),
      ...(limit !== undefined && { max_uses: limit }),
    })),
    customers: [{ email, subscriptions }],
  }
}

/** Creates the model. `run` returns `done` or the error code of a step. */
export function createOracle(hasSubscription: boolean) {
  const subscriptions = new Map(
    Object.entries(start).map(([id, { date, base, items }]): [string, Goods] => {
      const lines = Object.entries(items).map(([product, quantity]) => newLine(product, false, Number(quantity)))
      return [id, { date: hasSubscription ? date : undefined, base, lines }]
    }),
  )
  /** Additions that can be undone, oldest first. */
  let adds: Add[] = []
  const orders: Order[] = []

  const current = () =>
    [...subscriptions.values()]
      .filter(({ date }) => date !== undefined)
      .toSorted(({ date: one = '' }, { date: other = '' }) => Number(one > other) - Number(one < other))[0]
  const count = (code: string) =>
    [...subscriptions.values()].filter((goods) => codesOf(goods).has(code)).length +
    orders.filter((order) => !order.isUndone && order.codes.has(code)).length
  const check = (code: string | undefined, goods: Goods | undefined) => {
    if (code === undefined) return
    const worth = worths[code]
    const isUsedUp = worth?.limit !== undefined && count(code) >= worth.limit
    const hasCode = goods !== undefined && codesOf(goods).has(code)
    if (worth === undefined || (isUsedUp && !hasCode)) throw new StoreError('invalid_discount_code')
  }
  const place = (goods: Goods): Order => {
    const order = { discount: discountOf(goods), codes: codesOf(goods), isUndone: false }
    orders.push(order)
    return order
  }

  const steps: { readonly [Name in Step['do']]: (step: Extract<Step, { readonly do: Name }>) => void } = {
    add({ product, quantity, once, code }) {
      const next = current()
      if (next === undefined && once) throw new StoreError('subscription_not_found')
      check(code, next)
      const goods = next ?? { date: undefined, base: 0, lines: [] }
      const present = goods.lines.find((line) => line.product === product && line.once === once)
      const line = present ?? newLine(product, once, 0)
      if (present === undefined) goods.lines.push(line)
      const add: Add = { product, goods, line, order: undefined }
      for (let unit = 0; unit < quantity; unit++)
        line.units.push({ codes: new Set(code === undefined ? [] : [code]), add })
      if (next === undefined) add.order = place(goods)
      adds.push(add)
    },
    undo({ product }) {
      const undone = adds.findLast((add) => add.product === product)
      if (undone === undefined) throw new StoreError('product_not_in_order')
      adds = adds.filter((add) => add !== undone)
      if (undone.order) undone.order.isUndone = true
      const { goods, line } = undone
      line.units = line.units.filter((unit) => unit.add !== undone)
      goods.lines = goods.lines.filter(({ units }) => units.length > 0)
    },
    swap({ line: index, product, code }) {
      const goods = current()
      if (goods === undefined) throw new StoreError('subscription_not_found')
      const line = goods.lines[index]
      if (line === undefined) throw new StoreError('item_not_found')
      check(code, goods)
      if (line.product === product) return
      adds = adds.filter((add) => add.line !== line)
      if (code !== undefined) for (const unit of line.units) unit.codes.add(code)
      const present = goods.lines.find((other) => other.product === product && other.once === line.once)
      if (present === undefined) Object.assign(line, { product, price: prices[product] })
      else {
        present.units.push(...line.units)
        goods.lines = goods.lines.filter((other) => other !== line)
      }
    },
    reactivate({ subscription, code }) {
      const goods = subscriptions.get(subscription)
      if (goods === undefined) throw new StoreError('subscription_not_found')
      if (goods.date !== undefined) throw new StoreError('subscription_not_cancelled')
      check(code, goods)
      goods.date = '2026-03-11'
      if (code !== undefined) for (const { units } of goods.lines) for (const unit of units) unit.codes.add(code)
    },
    send() {
      const goods = current()
      if (goods === undefined) throw new StoreError('subscription_not_found')
      if (orders.some(({ isSent }) => isSent === true)) throw new StoreError('order_already_processing')
      if (goods.lines.length === 0) throw new StoreError('order_not_processable')
      place(goods).isSent = true
      adds = adds.filter((add) => add.goods !== goods)
      goods.lines = goods.lines.filter(({ once }) => !once)
      for (const { units } of goods.lines) for (const unit of units) unit.codes.clear()
      goods.date = '2026-04-09'
    },
  }

  return {
    run(step: Step): 'done' | ErrorCode {
      try {
        // oxlint-disable-next-line typescript/consistent-type-assertions -- the function belongs to the name
        const change = steps[step.do] as (given: Step) => void
        change(step)
        return 'done'
      } catch (error) {
        if (error instanceof StoreError) return error.code
        throw error
      }
    },
    see(): Seen {
      const goods = current()
      return {
        next: goods && {
          items: goods.lines.map(({ product, once, units }) => `${units.length} ${idOf(product, once)}`),
          discount: discountOf(goods),
        },
        orders: orders.map(({ discount }) => discount),
        usable: Object.entries(worths).flatMap(([code, { limit = Infinity }]) => (count(code) < limit ? [code] : [])),
      }
    },
    /** Returns the id of an item in the next order. */
    itemAt(index: number): string {
      const line = current()?.lines[index]
      return line === undefined ? 'nothing' : idOf(line.product, line.once)
    },
  }
}

interface Order {
  readonly discount: number
  readonly codes: ReadonlySet<string>
  isUndone: boolean
  isSent?: boolean
}

function idOf(product: string, once: boolean): string {
  return once ? `${product}~once` : product
}

function newLine(product: string, once: boolean, quantity: number): Line {
  const units = Array.from({ length: quantity }, (): Unit => ({ codes: new Set(), add: undefined }))
  return { product, once, price: prices[product] ?? 0, units }
}

function codesOf({ lines }: Goods): ReadonlySet<string> {
  return new Set(lines.flatMap(({ units }) => units.flatMap((unit) => [...unit.codes])))
}

function discountOf(goods: Goods): number {
  const priced = goods.lines.flatMap(({ price, units }) => units.map((unit) => ({ price, unit })))
  const sum = (all: readonly { readonly price: number }[]) => all.reduce((total, { price }) => total + price, 0)
  let discount = goods.base
  for (const code of codesOf(goods)) {
    const worth = worths[code]
    if (worth === undefined) continue
    const base = sum(priced.filter(({ unit }) => unit.codes.has(code)))
    // The percentages have at most four decimals.
    discount += 'cents' in worth ? worth.cents : Math.floor((base * Math.round(worth.percent * 1e4) + 5e5) / 1e6)
  }
  return Math.min(discount, sum(priced))
}
