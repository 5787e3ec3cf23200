import { createParser } from './create-parser.ts'
import { describeIssues } from '../schemas/describe-issues.ts'
import { forEachEndpoint } from '../endpoints/endpoint-names.ts'
import { endpointRow } from '../endpoints/index.ts'
import { StoreError } from '../errors.ts'
import { Nothing } from '../schemas/nothing.ts'
import type { EndpointName } from '../store-port.ts'

/** What a store answered is not what the API allows; its message names the field and is for the merchant, not for the caller. */
export class StoreResponseError extends Error {
  override readonly name = 'StoreResponseError'
}

/**
 * Checks what a store answered and drops the fields that the contract does not name; `undefined` for an action.
 *
 * Throws StoreResponseError for an answer of the wrong form, and the endpoint's not-found StoreError for `null`.
 */
export type CheckOutput = (output: unknown) => unknown

/** Makes the check of what a store answers, for each endpoint. */
export function createOutputChecks(): Readonly<Record<EndpointName, CheckOutput>> {
  return forEachEndpoint((name) => {
    const row = endpointRow(name)
    const parse = createParser(row.output, (issues, output) => {
      throw new StoreResponseError(`${name} answered: ${describeIssues(issues, output)}`)
    })
    return (output) => {
      if (output === null && row.absent !== undefined) throw new StoreError(row.absent)
      const parsed = parse(output)
      return row.output === Nothing ? undefined : parsed
    }
  })
}
