import * as z from 'zod/mini'
import { isObject } from '../engine/is-object.ts'

/** The fields at any depth of a value that its schema does not name, each with the way to it. */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unknownFields(elementOf(schema), one, path))
  if (!isObject(value)) return []
  const shape = shapeOf(schema)
  return Object.entries(value).flatMap(([name, held]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    return field === undefined ? [`${path}.${name}`] : unknownFields(field, held, `${path}.${name}`)
  })
}

function elementOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.core.$ZodOptional) return elementOf(schema._zod.def.innerType)
  return schema instanceof z.core.$ZodArray ? schema._zod.def.element : schema
}

/** The fields of an object, or of all objects that a union allows. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  if (schema instanceof z.core.$ZodOptional) return shapeOf(schema._zod.def.innerType)
  if (schema instanceof z.core.$ZodObject) return schema._zod.def.shape
  if (!(schema instanceof z.core.$ZodUnion)) return {}
  return Object.fromEntries(schema._zod.def.options.flatMap((option) => Object.entries(shapeOf(option))))
}
