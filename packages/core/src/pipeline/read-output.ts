import type * as z from 'zod/mini'
import {
  cleanText,
  createTryParser,
  Id,
  isAmount,
  isList,
  isMoney,
  isObject,
  Quantity,
  uniqueIds,
} from '../contract/schemas.ts'
import { withoutEmails } from '../contract/errors.ts'
import { toMinor } from '../contract/money.ts'
import { describeType, findReason, readProperty } from './describe-value.ts'

/** A problem in the output of a store. */
export interface Problem {
  /** The row, such as `product sku-17`; empty outside a list. */
  row: string
  /** Path of the field in the row; empty if the problem is the row itself. */
  path: string
  /** The reason, such as `is a string`. */
  readonly reason: string
}

/** Returns a problem as one line, such as `product sku-17: images.0 has a space`. */
export function describeProblem({ row, path, reason }: Problem): string {
  const field = path === '' ? '' : `${path} `
  if (row === '') return `${field === '' ? 'The value ' : field}${reason}`
  return `${row}${field === '' ? ' ' : `: ${field}`}${reason}`
}

/** Result of reading a value of which no part can be returned. */
export const invalid = Symbol('invalid')

/** Returns the valid part of a value, or `invalid`. Adds the problems. Never throws. */
type Read = (value: unknown, problems: Problem[]) => unknown

/**
 * Creates the function that reads the output of a store. Real data is untidy, so the function returns the valid part:
 *
 * - `null` in an optional field counts as absent, as does an empty string in an optional string.
 * - An invalid optional field or image is left out of its row, and an item of quantity 0 is left out of its list.
 * - In a response that is a list, a row with an invalid required field is left out, as is a repeated id.
 * - Otherwise an invalid required field makes the output invalid, as does an invalid optional amount.
 *
 * Amounts are rounded half up to `digits` decimals (MONEY-1). Half surrogates and control characters are removed from
 * texts.
 */
export function createReader(schema: z.core.$ZodType, digits: number): Read {
  return readerOf(schema, { digits, name: '', isRoot: true, isRow: false, leavesOut: false })
}

/** Position of a schema in the output. */
interface Place {
  /** Decimals of amounts. */
  readonly digits: number
  /** Name of the field. */
  readonly name: string
  readonly isRoot: boolean
  /** True below a row that can be left out. Its invalid optional amounts are then left out. */
  readonly isRow: boolean
  /** True if invalid rows of the list are left out. */
  readonly leavesOut: boolean
}

function readerOf(schema: z.core.$ZodType, place: Place): Read {
  const { def } = schema._zod
  if (isOf<z.core.$ZodObjectDef>(def, 'object')) return readObject(def.shape, place)
  if (isOf<z.core.$ZodArrayDef>(def, 'array')) {
    const row = def.element._zod.def
    return isOf<z.core.$ZodObjectDef>(row, 'object') ? readRows(row.shape, def, place) : readValues(def.element, place)
  }
  if (isOf<z.core.$ZodDiscriminatedUnionDef>(def, 'union')) return readUnion(def.options, def.discriminator, place)
  return readValue(schema, place)
}

function readObject(shape: z.core.$ZodShape, place: Place): Read {
  const names = Object.keys(shape)
  const leavesOut = place.isRoot && names.length === 1
  const fields = Object.entries(shape).map(([name, declared]) => {
    const schema = unwrap(declared)
    return {
      name,
      isOptional: schema !== declared,
      isText: schema._zod.def.type === 'string',
      canBeLeftOut: schema !== declared && (place.isRow || !isAmount(schema)),
      read: readerOf(schema, { ...place, name, isRoot: false, leavesOut }),
    }
  })
  return (value, problems) => {
    if (!isObject(value) || isList(value)) {
      const expected = place.isRoot ? `, not an object with ${names.join(', ')}` : ', not an object'
      return reject(problems, `${describeType(value)}${value === undefined || value === null ? '' : expected}`)
    }
    const output: Record<string, unknown> = {}
    let isValid = true
    for (const { name, isOptional, isText, canBeLeftOut, read } of fields) {
      const sent = readProperty(value, name)
      if (isOptional && (sent === undefined || sent === null)) continue
      const before = problems.length
      const result = read(sent, problems)
      if (problems.length > before) addName(problems, before, name)
      // An optional text can be empty, also without its control characters. It then counts as absent.
      if (result === invalid) isValid &&= canBeLeftOut
      else if (!(isOptional && isText && result === '')) output[name] = result
    }
    return isValid ? output : invalid
  }
}

function readRows(shape: z.core.$ZodShape, { checks = [] }: z.core.$ZodArrayDef, place: Place): Read {
  const { leavesOut } = place
  const noun = place.name.replace(/s$/, '')
  const idName = Object.keys(shape).find((name) => shape[name] === Id) ?? 'id'
  const quantityName = Object.keys(shape).find((name) => shape[name] === Quantity)
  const hasUniqueIds = leavesOut || checks.includes(uniqueIds)
  const read = readObject(shape, { ...place, isRow: place.isRow || leavesOut })

  function readRow(row: unknown, ids: Set<unknown>, problems: Problem[]): unknown {
    const output = read(row, problems)
    if (!hasUniqueIds || !isObject(output)) return output
    const id = output[idName]
    if (ids.has(id)) return reject(problems, 'is the same as in an earlier row', idName)
    ids.add(id)
    return output
  }

  return (list, problems) => {
    if (!isList(list)) return reject(problems, describeNoList(list))
    const ids = new Set<unknown>()
    const rows: unknown[] = []
    let isValid = true
    for (let index = 0; index < list.length; index += 1) {
      const row = readProperty(list, index)
      const before = problems.length
      const isNone = quantityName !== undefined && isObject(row) && readProperty(row, quantityName) === 0
      const output = isNone ? reject(problems, 'is 0', quantityName) : readRow(row, ids, problems)
      if (problems.length > before) addRow(problems, before, describeRow(noun, row, idName, index))
      if (output !== invalid) rows.push(output)
      else isValid &&= leavesOut || isNone
    }
    return isValid ? rows : invalid
  }
}

/** Reads a list of values such as images. Its invalid values are left out, and an invalid list is empty. */
function readValues(element: z.core.$ZodType, place: Place): Read {
  const read = readValue(element, place)
  return (list, problems) => {
    const values: unknown[] = []
    if (!isList(list)) {
      reject(problems, describeNoList(list))
      return values
    }
    for (let index = 0; index < list.length; index += 1) {
      const before = problems.length
      const value = read(readProperty(list, index), problems)
      if (problems.length > before) addName(problems, before, String(index))
      if (value !== invalid) values.push(value)
    }
    return values
  }
}

/** Reads an object whose first field selects the other fields. */
function readUnion(options: readonly z.core.$ZodType[], discriminator: string, place: Place): Read {
  const readers = new Map<unknown, Read>()
  for (const option of options) {
    const { def } = option._zod
    const literal = isOf<z.core.$ZodObjectDef>(def, 'object') ? def.shape[discriminator]?._zod.def : undefined
    const values = literal && isOf<z.core.$ZodLiteralDef<string>>(literal, 'literal') ? literal.values : []
    for (const value of values) readers.set(value, readerOf(option, place))
  }
  const expected = `must be ${Array.from(readers.keys()).join(' or ')}`
  return (value, problems) => {
    const read = isObject(value) ? readers.get(readProperty(value, discriminator)) : undefined
    return read === undefined ? reject(problems, expected, discriminator) : read(value, problems)
  }
}

function readValue(schema: z.core.$ZodType, { digits }: Place): Read {
  const isText = schema._zod.def.type === 'string' && schema !== Id
  const isRounded = isMoney(schema)
  const parse = createTryParser(schema)
  return (sent, problems) => {
    let value = sent
    if (isText && typeof sent === 'string') value = cleanText(sent)
    if (isRounded && typeof sent === 'number' && sent > 0) value = roundAmount(sent, digits)
    return parse(value) === undefined ? reject(problems, findReason(schema, value)) : value
  }
}

/** Rounds an amount half up. Amounts without exact minor units are far above every price, and have no decimals. */
function roundAmount(amount: number, digits: number): number {
  const minor = toMinor(amount, digits)
  return Number.isSafeInteger(minor) ? minor / 10 ** digits : amount
}

function reject(problems: Problem[], reason: string, path = ''): typeof invalid {
  problems.push({ row: '', path, reason })
  return invalid
}

function describeNoList(value: unknown): string {
  const type = describeType(value)
  return value === undefined || value === null ? type : `${type}, not a list`
}

/** Prepends a field name to the paths of the problems from `first`, which the field contains. */
function addName(problems: Problem[], first: number, name: string): void {
  for (const problem of problems.slice(first)) {
    if (problem.row === '') problem.path = problem.path === '' ? name : `${name}.${problem.path}`
  }
}

/** Prepends a row to the problems from `first`, which the row contains. */
function addRow(problems: Problem[], first: number, row: string): void {
  for (const problem of problems.slice(first)) problem.row = problem.row === '' ? row : `${row}: ${problem.row}`
}

/** Returns a name for a row: its id, its title or its position. */
function describeRow(noun: string, row: unknown, idName: string, index: number): string {
  const [id, title] = isObject(row) ? [readProperty(row, idName), readProperty(row, 'title')] : []
  if (typeof id === 'number' || typeof id === 'bigint') return `${noun} ${id}`
  if (typeof id === 'string' && id.trim() !== '') return `${noun} ${shorten(id)}`
  if (typeof title === 'string' && title.trim() !== '') return `${noun} "${shorten(title)}"`
  return `${noun} at position ${index + 1}`
}

function shorten(text: string): string {
  return cleanText(withoutEmails(text).slice(0, 60)).replace(/\s+/g, ' ').trim()
}

/** Returns the schema of a field without `optional` and without a default. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod
  return isWrapper(def) ? def.innerType : schema
}

function isWrapper(def: z.core.$ZodTypeDef): def is z.core.$ZodOptionalDef {
  return 'innerType' in def
}

/** Returns whether a definition belongs to a type of schema. */
export function isOf<Def extends z.core.$ZodTypeDef>(def: z.core.$ZodTypeDef, type: Def['type']): def is Def {
  return def.type === type
}
