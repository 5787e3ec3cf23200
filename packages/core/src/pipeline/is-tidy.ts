import type * as z from 'zod/mini'
import { cleanText, Id, ImageUrl, isMoney } from '../contract/fields.ts'
import { isOf, unwrap } from './read-output.ts'

/** Whether a validated value can be returned as it is. */
export type IsTidy = (value: unknown) => boolean

/** Result of `createTidyCheck` for a schema whose valid values are always tidy. Such values are skipped. */
const always: IsTidy = () => true

/**
 * Creates the function that returns whether a value that is valid for a schema needs no change: its amounts have at
 * most `digits` decimals, its texts have only allowed characters, and its rows have unique ids.
 */
export function createTidyCheck(schema: z.core.$ZodType, digits: number): IsTidy {
  const { def } = unwrap(schema)._zod
  if (isMoney(unwrap(schema))) {
    const scale = 10 ** digits
    return (amount) => typeof amount !== 'number' || Math.round(amount * scale) / scale === amount
  }
  // The schemas of an id and of an image reject control characters.
  if (def.type === 'string' && schema !== Id && schema !== ImageUrl)
    return (text) => typeof text !== 'string' || (text !== '' && cleanText(text) === text)
  if (isOf<z.core.$ZodObjectDef>(def, 'object')) return inFields(def.shape, digits)
  if (isOf<z.core.$ZodArrayDef>(def, 'array')) return inRows(def.element, digits)
  if (isOf<z.core.$ZodUnionDef>(def, 'union')) {
    const options = def.options.map((option) => createTidyCheck(option, digits))
    return (value) => options.every((isTidy) => isTidy(value))
  }
  return always
}

function inFields(shape: z.core.$ZodShape, digits: number): IsTidy {
  const fields = Object.entries(shape)
    .map(([name, schema]): [string, IsTidy] => [name, createTidyCheck(schema, digits)])
    .filter(([, isTidy]) => isTidy !== always)
  return (value) => {
    if (!isRecord(value)) return true
    for (const [name, isTidy] of fields) if (!isTidy(value[name])) return false
    return true
  }
}

function inRows(element: z.core.$ZodType, digits: number): IsTidy {
  const isTidy = createTidyCheck(element, digits)
  if (isTidy === always) return always
  const { def } = element._zod
  const shape = isOf<z.core.$ZodObjectDef>(def, 'object') ? def.shape : {}
  const idName = Object.keys(shape).find((name) => shape[name] === Id) ?? 'id'
  return (rows) => {
    if (!Array.isArray(rows)) return true
    const ids = new Set<unknown>()
    for (const row of rows) {
      if (!isTidy(row)) return false
      ids.add(row[idName])
    }
    return ids.size === rows.length
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
