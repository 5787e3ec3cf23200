import { createMoneyRounding } from './create-money-rounding.ts'
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

/** Makes the check of what a store answers, for each endpoint; amounts are rounded to the given number of decimals. */
export function createOutputChecks(moneyDigits: number): Readonly<Record<EndpointName, CheckOutput>> {
  return forEachEndpoint((name) => {
    const row = endpointRow(name)
    const parse = createParser(row.output, (issues, output) => {
      throw new StoreResponseError(`${name} answered: ${describeIssues(issues, output)}`)
    })
    const round = createMoneyRounding(row.output, moneyDigits)
    return (output) => {
      if (output === null && row.absent !== undefined) throw new StoreError(row.absent)
      const parsed = parse(output)
      if (row.output === Nothing) return undefined
      // An amount that rounding makes nothing of may no longer be allowed.
      return round(parsed) ? parse(parsed) : parsed
    }
  })
}
