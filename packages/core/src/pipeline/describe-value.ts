import * as z from 'zod/mini'
import { isList, isObject } from '../contract/parse.ts'
import { ImageUrl } from '../contract/schemas.ts'

/** Value of a property whose getter or proxy throws. */
const unreadable = Symbol('unreadable')

/** Reads a property of an object that a store returned. Never throws. */
export function readProperty(value: object, name: PropertyKey): unknown {
  try {
    return Reflect.get(value, name)
  } catch {
    return unreadable
  }
}

/** Describes the type of a value that has the wrong type, such as `is a string`. Never throws. */
export function describeType(value: unknown): string {
  if (value === undefined) return 'is missing'
  if (value === null) return 'is null'
  if (typeof value === 'number') return describeNumber(value)
  if (isList(value)) return 'is a list'
  if (value === unreadable || !isObject(value)) return value === unreadable ? 'cannot be read' : `is a ${typeof value}`
  try {
    return value instanceof Date ? 'is a Date' : 'is an object'
  } catch {
    return 'cannot be read'
  }
}

function describeNumber(value: number): string {
  if (Number.isNaN(value)) return 'is NaN'
  return Number.isFinite(value) ? 'is a number' : 'is infinite'
}

/** Returns the reason why an invalid value is invalid, as the end of a sentence that begins with the field. */
export function findReason(schema: z.core.$ZodType, value: unknown): string {
  const { type } = schema._zod.def
  const isPrimitive = type === 'string' || type === 'number' || type === 'boolean'
  if (isPrimitive && (typeof value !== type || !(typeof value !== 'number' || Number.isFinite(value))))
    return describeType(value)
  if (schema === ImageUrl && typeof value === 'string') return describeUrl(value)
  const message = z.safeParse(schema, value).error?.issues[0]?.message ?? ''
  return message.startsWith('must') ? message : 'is not allowed'
}

/** Returns the reason why a string is not the URL of an image. */
function describeUrl(url: string): string {
  if (url === '') return 'is empty'
  if (/[\r\n]/.test(url)) return 'has a line break'
  if (/\s/.test(url)) return 'has a space'
  if (url.startsWith('//')) return 'has no https: in front'
  if (url.startsWith('data:')) return 'is a data: URL, not the URL of a file'
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return 'has no https:// and host in front'
  if (!/^https?:\/\//i.test(url)) return 'does not start with https://'
  if (/^[^/]*\/\/[^/?#]*@/.test(url)) return 'has a user name or a password'
  return 'is not a valid URL'
}
