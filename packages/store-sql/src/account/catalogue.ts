import { codeKey } from '@storeport/rules'
import type { CatalogueProduct, DiscountTerms } from '@storeport/rules'
import type { DialectName } from '../db/connections.ts'
import type { Db } from '../db/database.ts'
import {
  forEachDialect,
  type JsonExpression,
  jsonStatement,
  type JsonWriter,
  readJson,
  type ValueOf,
} from '../db/json-expression.ts'

/** A product as the rules know it. */
export function productExpression({ row }: JsonWriter): JsonExpression<CatalogueProduct> {
  return row('products', ['position'])
}

/** A discount as its row has it. */
export function discountExpression({ row }: JsonWriter) {
  return row('discounts', ['code_key'])
}

/** A discount as the rules know it. */
export function toDiscountTerms(row: ValueOf<ReturnType<typeof discountExpression>>): DiscountTerms {
  const { kind: _, percentage, amount_minor, ...limits } = row
  if (percentage !== null) return { ...limits, kind: 'percentage', percentage }
  if (amount_minor !== null) return { ...limits, kind: 'fixed_amount', amount_minor }
  throw new Error('A discount has neither a percentage nor an amount, which its table refuses.')
}

/** Reads the products of the general list, in its order. */
export async function loadOffered(db: Db, dialect: DialectName): Promise<readonly CatalogueProduct[]> {
  return readJson(db, offered[dialect], [])
}

/** Reads a discount by its code, in whatever letter case. */
export async function loadDiscount(db: Db, dialect: DialectName, code: string): Promise<DiscountTerms | undefined> {
  const [row] = await readJson(db, discountByCode[dialect], [codeKey(code)])
  return row && toDiscountTerms(row)
}

const offered = forEachDialect((writer) =>
  jsonStatement(productExpression(writer), 'from products where available order by position, id'),
)
const discountByCode = forEachDialect((writer) =>
  jsonStatement(discountExpression(writer), `from discounts where code_key = ${writer.parameter(1)}`),
)
