import { codeKey } from '@storeport/rules'
import type { CatalogueProduct, DiscountTerms } from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import {
  forEachDialect,
  type JsonExpression,
  jsonStatement,
  type JsonWriter,
  readJson,
  type ValueOf,
} from '../db/json-expression.ts'

/** Writes the expression of a product as the rules know it. */
export function writeProduct({ row }: JsonWriter): JsonExpression<CatalogueProduct> {
  return row('products', ['position'], {})
}

/** Writes the expression of a discount as its row has it. */
export function writeDiscount({ row }: JsonWriter) {
  return row('discounts', ['code_key'], {})
}

/** Turns the row of a discount into what the rules know. */
export function toDiscountTerms(row: ValueOf<ReturnType<typeof writeDiscount>>): DiscountTerms {
  const { kind: _, percentage, amount_minor, ...limits } = row
  if (percentage !== null) return { ...limits, kind: 'percentage', percentage }
  if (amount_minor !== null) return { ...limits, kind: 'fixed_amount', amount_minor }
  throw new Error('A discount has neither a percentage nor an amount, which its table refuses.')
}

/** Reads the products of the general list, in its order. */
export async function loadOffered(send: Send, dialect: DialectName): Promise<readonly CatalogueProduct[]> {
  return readJson(send, offered[dialect], [])
}

/** Reads a discount by its code, in whatever letter case. */
export async function loadDiscount(send: Send, dialect: DialectName, code: string): Promise<DiscountTerms | undefined> {
  const [row] = await readJson(send, discountByCode[dialect], [codeKey(code)])
  return row && toDiscountTerms(row)
}

const offered = forEachDialect((writer) =>
  jsonStatement(writeProduct(writer), 'from products where available order by position, id'),
)
const discountByCode = forEachDialect((writer) =>
  jsonStatement(writeDiscount(writer), `from discounts where code_key = ${writer.parameter(1)}`),
)
