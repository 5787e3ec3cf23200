import type { ParsedQs } from 'qs'
import { createInvalidRequest, createUnsupported } from './stripe-failure.ts'

/** Names of numbers. Except for percentages, they are integers, for example amounts in minor units. */
const numbers = new Set(
  'amount_off cancel_at frozen_time interval_count limit minimum_amount percent_off percentage quantity trial_end unit_amount'.split(
    ' ',
  ),
)
const flags = new Set(
  'active cancel_at_period_end deleted first_time_transaction inclusive off_session pending'.split(' '),
)
/** Texts that can replace a number. */
const words = new Set(['', 'min_period_end', 'now'])

/**
 * Converts parameters, which are received as text, to their types in the `stripe` package. Throws a 501 failure for a parameter that is
 * not `supported` by the request `name`, and a 400 failure for a value of another type (docs.stripe.com/error-codes).
 */
export function readParams(name: string, supported: string, sent: ParsedQs): never {
  const known = new Set([...supported.split(' '), 'expand'])

  function read(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((each) => read(each, path))
    if (typeof value === 'object' && value !== null && !path.endsWith('metadata')) {
      const inner = Object.entries(value)
      return Object.fromEntries(inner.map(([key, each]) => [key, read(each, path === '' ? key : `${path}.${key}`)]))
    }
    if (!known.has(path)) throw createUnsupported(`${path} of ${name}`)
    return typeof value === 'string' ? readText(value, path) : value
  }

  // oxlint-disable-next-line typescript/consistent-type-assertions -- the supported parameters are those of the handler's type
  return read(sent, '') as never
}

function readText(text: string, path: string): boolean | number | string {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (flags.has(name)) return text === 'true'
  if (!numbers.has(name) || words.has(text)) return text
  const number = Number(text)
  if (!Number.isSafeInteger(number) && !name.startsWith('percent'))
    throw createInvalidRequest(`Invalid integer: ${text}`, path, 'parameter_invalid_integer')
  return number
}
