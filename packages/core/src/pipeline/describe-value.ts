import * as z from 'zod/mini'
import { nearestName } from '../contract/names.ts'
import { ImageUrl, isList, isObject } from '../contract/schemas.ts'

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

/** Maximum number of fields in one error message. */
const maxFieldsNamed = 3

/** Maximum number of unknown names that are compared with a missing field. */
const maxNamesCompared = 50

/** Names from a request that an error message may contain. */
const safeName = /^[\w-]{1,40}$/

/**
 * Returns a one-line message that names the invalid fields and the expected values. For a missing field, the message
 * includes an unknown name from the request that is probably a misspelling of the field.
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  checked: unknown,
  unknownNames: readonly string[] = [],
): string {
  const lines = issues.slice(0, maxFieldsNamed).map((issue) => {
    const path = issue.path.join('.')
    const missing = issue.path.length > 0 && valueAt(checked, issue.path) === undefined
    const message = missing ? `is required${describeMisspelling(path, unknownNames)}` : issue.message
    return path === '' ? message : `${path}: ${message}`
  })
  return lines.join('; ')
}

function describeMisspelling(field: string, unknownNames: readonly string[]): string {
  const name = nearestName(
    field,
    unknownNames.slice(0, maxNamesCompared).filter((sent) => safeName.test(sent)),
  )
  return name === undefined ? '' : ` (received ${name})`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value)
}
