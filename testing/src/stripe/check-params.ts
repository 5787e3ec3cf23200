import type { ErrorObject } from 'ajv'
import type { ParsedQs } from 'qs'
import { compileSchema, type StripeRequestName } from './compile-schemas.ts'
import type { StripeRequests } from './stripe-requests.ts'
import { createInvalidRequest, type StripeFailure } from './stripe-failure.ts'

/**
 * Validates and converts request parameters according to the types in the `stripe` package. Throws `parameter_unknown`,
 * `parameter_missing`, `parameter_invalid_integer`, or an error without a code (docs.stripe.com/error-codes).
 */
export function checkParams<Name extends StripeRequestName>(
  name: Name,
  sent: ParsedQs,
): StripeRequests[Name]['params'] {
  const params: unknown = structuredClone(sent)
  const validate = compileSchema(name, 'params')
  if (!validate(params)) throw describe(validate.errors ?? [])
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the schema was generated from this type
  return params as StripeRequests[Name]['params']
}

/** Converts the most specific validation error. A union type produces an error for each of its members. */
function describe(errors: readonly ErrorObject[]): StripeFailure {
  const find = (wanted: string) => errors.find(({ keyword }) => keyword === wanted)
  const unknown = find('additionalProperties')
  if (unknown !== undefined) {
    const param = nameParam(unknown.instancePath, String(unknown.params['additionalProperty']))
    return createInvalidRequest(`Received unknown parameter: ${param}`, param, 'parameter_unknown')
  }
  const missing = find('required')
  if (missing !== undefined) {
    const param = nameParam(missing.instancePath, String(missing.params['missingProperty']))
    return createInvalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing')
  }
  const param = nameParam(errors[0]?.instancePath ?? '')
  const type = String(find('type')?.params['type'] ?? 'value')
  const code = type === 'integer' ? 'parameter_invalid_integer' : undefined
  return createInvalidRequest(`Invalid ${type}: ${param}`, param, code)
}

function nameParam(pointer: string, last?: string): string {
  const [first = '', ...rest] = [...pointer.split('/').slice(1), ...(last === undefined ? [] : [last])]
  return first + rest.map((part) => `[${part}]`).join('')
}
