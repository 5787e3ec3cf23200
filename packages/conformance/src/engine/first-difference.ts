import { isDeepStrictEqual } from 'node:util'
import { isObject } from './is-object.ts'

/** Where two values differ first. */
export interface Difference {
  /** The way to it, such as `[1].quantity`; empty when the values differ as a whole. */
  readonly path: string
  /** What is there in the first value. */
  readonly one: unknown
  /** What is there in the second value. */
  readonly other: unknown
}

/** Finds where two values that are not deeply equal differ first: of two long lists, that is all that somebody wants to see. */
export function firstDifference(one: unknown, other: unknown, path = ''): Difference {
  if (Array.isArray(one) && Array.isArray(other)) {
    const at = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index)
    const index = at.find((place) => !isDeepStrictEqual(one[place], other[place]))
    if (index !== undefined) return firstDifference(one[index], other[index], `${path}[${index}]`)
  } else if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(other), ...Object.keys(one)])]
    const name = names.find((field) => !isDeepStrictEqual(one[field], other[field]))
    if (name !== undefined) return firstDifference(one[name], other[name], path === '' ? name : `${path}.${name}`)
  }
  return { path, one, other }
}
