import type * as z from 'zod/mini'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError, withoutEmails } from '../contract/errors.ts'
import { cleanText, createTryParser, Id, ImageUrl, isMoney, isObject, Nothing } from '../contract/schemas.ts'
import type { EndpointName } from '../contract/store-port.ts'
import type { Progress } from './integration.ts'
import { createReader, describeProblem, invalid, isOf, type Problem, unwrap } from './read-output.ts'

/** Error for invalid output of a store. The message names the invalid field and is never sent to the caller. */
export class StoreResponseError extends Error {
  override readonly name = 'StoreResponseError'
}

/** The request whose output is checked. */
interface CheckedRequest {
  readonly input: object
  readonly progress: Progress
}

/**
 * Returns the valid part of a store's output, without fields outside the contract. Returns `undefined` for a change.
 * Reports what was left out.
 *
 * Throws StoreResponseError for an output without a valid part, and the endpoint's not-found StoreError for `null`.
 */
export type CheckOutput = (output: unknown, request: CheckedRequest) => unknown

/** Reports what was left out of a response: one line for each problem. */
export type ReportLeftOut = (lines: readonly string[], progress: Progress) => void

/** Maximum number of problems in the message of a StoreResponseError. */
const maxProblemsNamed = 3

/** Creates the output check of each endpoint. Amounts are rounded to `moneyDigits` decimals. */
export function createOutputChecks(
  moneyDigits: number,
  reportLeftOut: ReportLeftOut,
): Readonly<Record<EndpointName, CheckOutput>> {
  return forEachEndpoint((name) => {
    const { output: schema, absent } = endpointRow(name)
    const parse = createTryParser(schema)
    const isTidy = createTidyCheck(schema, moneyDigits)
    const read = createReader(schema, moneyDigits)
    const isEmpty = createEmptyCheck(schema)
    return (output, { input, progress }) => {
      if (output === null && absent !== undefined) throw new StoreError(absent)
      // Most outputs are valid and tidy. The compiled schema is faster than the reader, which reads all others.
      const parsed = parse(output)
      if (parsed !== undefined && isTidy(parsed.data)) return schema === Nothing ? undefined : parsed.data
      const problems: Problem[] = []
      const data = read(output, problems)
      if (problems.length > 0) {
        const lines = problems.map((problem) => withoutEmails(describeProblem(problem)))
        // An empty general list would hide an incorrect mapping. Without a problem, the list had no rows.
        if (data === invalid || (isEmpty(data) && !('email' in input))) {
          const shown = lines.slice(0, maxProblemsNamed).join('; ')
          throw new StoreResponseError(`${name} returned an invalid value. ${shown}`)
        }
        reportLeftOut(lines, progress)
      }
      return schema === Nothing ? undefined : data
    }
  })
}

/** Creates the function that returns whether the list of a response is empty. A response may have no list. */
function createEmptyCheck(schema: Endpoint['output']): (data: unknown) => boolean {
  const { def } = schema._zod
  const [name, ...others] = isOf<z.core.$ZodObjectDef>(def, 'object') ? Object.keys(def.shape) : []
  if (name === undefined || others.length > 0) return () => false
  return (data) => {
    const list = isObject(data) ? data[name] : undefined
    return Array.isArray(list) && list.length === 0
  }
}

/** Returns whether a validated value can be returned without a change. */
type IsTidy = (value: unknown) => boolean

/** Result of `createTidyCheck` for a schema whose valid values are always tidy. Such values are skipped. */
const always: IsTidy = () => true

/**
 * Creates the function that returns whether a value that is valid for a schema needs no change: its amounts have at
 * most `digits` decimals, its texts have only allowed characters, and its rows have unique ids.
 */
function createTidyCheck(schema: z.core.$ZodType, digits: number): IsTidy {
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
    if (!isObject(value)) return true
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
