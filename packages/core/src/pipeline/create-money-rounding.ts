import type * as z from 'zod/mini'
import { isMoney } from '../schemas/fields.ts'

/** Rounds every amount of money in a checked output, in place; tells whether that changed any. */
export type RoundMoney = (output: unknown) => boolean

/** Makes the rounding to the given number of decimals of the amounts that a schema has (MONEY-1). */
export function createMoneyRounding(schema: z.core.$ZodType, digits: number): RoundMoney {
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

/** Rounds what holds no amount, so that it is left out when the rounding is made. */
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

/** Zod types a definition by its schema, which is not known here. */
function isOf<Def extends z.core.$ZodTypeDef>(def: z.core.$ZodTypeDef, type: Def['type']): def is Def {
  return def.type === type
}
