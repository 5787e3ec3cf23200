import { createParser, describeIssues } from '../contract/parse.ts'
import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError } from '../contract/errors.ts'
import { Nothing } from '../contract/schemas.ts'
import type { EndpointName } from '../contract/store-port.ts'
import type * as z from 'zod/mini'
import { isMoney } from '../contract/fields.ts'

/** Error for invalid output of a store. The message names the invalid field and is never sent to the caller. */
export class StoreResponseError extends Error {
  override readonly name = 'StoreResponseError'
}

/**
 * Validates the output of a store and removes fields outside the contract. Returns `undefined` for a change.
 *
 * Throws StoreResponseError for an invalid output, and the endpoint's not-found StoreError for `null`.
 */
export type CheckOutput = (output: unknown) => unknown

/** Creates the output check of each endpoint. Amounts are rounded to `moneyDigits` decimals. */
export function createOutputChecks(moneyDigits: number): Readonly<Record<EndpointName, CheckOutput>> {
  return forEachEndpoint((name) => {
    const row = endpointRow(name)
    const parse = createParser(row.output, (issues, output) => {
      throw new StoreResponseError(`${name} returned an invalid value. ${describeIssues(issues, output)}`)
    })
    const round = createMoneyRounding(row.output, moneyDigits)
    return (output) => {
      if (output === null && row.absent !== undefined) throw new StoreError(row.absent)
      const parsed = parse(output)
      if (row.output === Nothing) return undefined
      // Validates again, because rounding an amount to 0 can make the output invalid.
      return round(parsed) ? parse(parsed) : parsed
    }
  })
}

/** Rounds all money amounts of a validated output in place. Returns whether any amount changed. */
type RoundMoney = (output: unknown) => boolean

/** Creates the function that rounds the money amounts of a schema (MONEY-1). */
function createMoneyRounding(schema: z.core.$ZodType, digits: number): RoundMoney {
  const scale = 10 ** digits
  return walk(schema, (amount) => Math.round(amount * scale) / scale)
}

function walk(schema: z.core.$ZodType, round: (amount: number) => number): RoundMoney {
  const { def } = schema._zod
  if (isOf<z.core.$ZodObjectDef>(def, 'object')) return inFields(def.shape, round)
  if (isOf<z.core.$ZodArrayDef>(def, 'array')) {
    const inElement = walk(def.element, round)
    if (inElement === noMoney) return noMoney
    return (list) => Array.isArray(list) && list.filter(inElement).length > 0
  }
  if (isOf<z.core.$ZodUnionDef>(def, 'union')) {
    const options = def.options.map((option) => walk(option, round))
    return (value) => options.filter((inOption) => inOption(value)).length > 0
  }
  return noMoney
}

/** Result of `walk` for a schema without amounts. Values of such a schema are skipped. */
const noMoney: RoundMoney = () => false

function inFields(shape: z.core.$ZodShape, round: (amount: number) => number): RoundMoney {
  const fields = Object.entries(shape).map(([name, schema]): [string, z.core.$ZodType] => [name, unwrap(schema)])
  const amounts = fields.filter(([, schema]) => isMoney(schema)).map(([name]) => name)
  const others = fields
    .map(([name, schema]): [string, RoundMoney] => [name, walk(schema, round)])
    .filter(([, inField]) => inField !== noMoney)
  return (value) => {
    if (!isRecord(value)) return false
    let changed = false
    for (const name of amounts) {
      const amount = value[name]
      if (typeof amount !== 'number' || round(amount) === amount) continue
      value[name] = round(amount)
      changed = true
    }
    for (const [name, inField] of others) if (inField(value[name])) changed = true
    return changed
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod
  return isOf<z.core.$ZodOptionalDef>(def, 'optional') ? def.innerType : schema
}

function isOf<Def extends z.core.$ZodTypeDef>(def: z.core.$ZodTypeDef, type: Def['type']): def is Def {
  return def.type === type
}
