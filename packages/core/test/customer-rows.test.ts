import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CustomerRows } from '../src/retries/customer-rows.ts'

const customers = Array.from({ length: 300 }, (_, index) => `customer-${index}`)

interface Try {
  before: Try | undefined
}

/** What a customer's row would hold, were it an object in a map. */
interface Known {
  tries: Try[]
  latest: { readonly click: string; readonly since: number } | undefined
}

it('knows the same of every customer as a map of objects does, whatever comes and goes', () => {
  const step = fc.record({
    of: fc.nat(customers.length - 1),
    what: fc.constantFrom('try', 'end', 'succeed', 'forget'),
    at: fc.nat(9),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 2000 }), (steps) => {
      const rows = new CustomerRows<Try>()
      const model = new Map<string, Known>()
      for (const { of, what, at } of steps) take(rows, model, customers[of] ?? '', what, at)
      for (const customer of customers) {
        const row = rows.find(customer)
        const known = model.get(customer)
        expect(row === undefined).toBe(known === undefined)
        if (row === undefined || known === undefined) continue
        expect(triesOf(rows, row)).toEqual(known.tries)
        expect(rows.hasLatest(row)).toBe(known.latest !== undefined)
        if (known.latest === undefined) continue
        expect(rows.isLatest(row, known.latest.click)).toBe(true)
        expect(rows.isLatest(row, `not ${known.latest.click}`)).toBe(false)
        expect([rows.since(row), rows.until(row), rows.expiresAt(row)]).toEqual(
          [0, 1, 2].map((more) => (known.latest?.since ?? 0) + more),
        )
      }
      expect(rows.size).toBe(model.size)
      expect(rows.tries).toBe([...model.values()].reduce((sum, { tries }) => sum + tries.length, 0))
      expect(rows.successes).toBe([...model.values()].filter(({ latest }) => latest !== undefined).length)
    }),
    { numRuns: 20 },
  )
})

it('finds each of many more customers than there was room for, and none that has gone', () => {
  const rows = new CustomerRows<Try>()
  const many = Array.from({ length: 20_000 }, (_, index) => `customer.${index}@shop.example`)
  for (const customer of many) rows.keepLatest(rows.add(customer), 'click', 0, 1, 2)
  for (const [index, customer] of many.entries()) if (index % 3 === 0) rows.forgetLatest(rows.find(customer) ?? -1)
  const found = many.map((customer) => rows.find(customer))
  expect(found.filter((row) => row === undefined)).toHaveLength(Math.ceil(many.length / 3))
  expect(found.every((row, index) => (row === undefined) === (index % 3 === 0))).toBe(true)
  expect(new Set(found.filter((row) => row !== undefined)).size).toBe(rows.size)
})

function take(rows: CustomerRows<Try>, model: Map<string, Known>, customer: string, what: string, at: number): void {
  const known = model.get(customer) ?? { tries: [], latest: undefined }
  const row = rows.find(customer) ?? rows.add(customer)
  if (what === 'try') {
    const entry: Try = { before: undefined }
    known.tries.unshift(entry)
    rows.addTry(row, entry)
  } else if (what === 'end' && known.tries.length > 0) {
    for (const entry of known.tries.splice(at % known.tries.length, 1)) rows.removeTry(row, entry)
  } else if (what === 'forget' && known.latest !== undefined) {
    known.latest = undefined
    rows.forgetLatest(row)
  } else {
    const click = `click of ${customer} at ${at}`
    if (known.latest === undefined || known.latest.since <= at) known.latest = { click, since: at }
    rows.keepLatest(row, click, at, at + 1, at + 2)
  }
  if (known.tries.length === 0 && known.latest === undefined) model.delete(customer)
  else model.set(customer, known)
}

function triesOf(rows: CustomerRows<Try>, row: number): Try[] {
  const found: Try[] = []
  for (let entry = rows.newestTry(row); entry !== undefined; entry = entry.before) found.push(entry)
  return found
}
