import { type Endpoint, type ErrorCode, errorRow, errors, isErrorCode } from '@storeport/core'

/**
 * The code for an error answer; a code that the error table does not know is read by the answer's status.
 *
 * A refusal stays a refusal and a fault stays a fault: what is left over is `invalid_request` or `upstream_error`.
 */
export function errorCodeOf(code: string, status: number, endpoint: Endpoint): ErrorCode {
  if (isErrorCode(code)) return code
  const hasStatus = (candidate: ErrorCode) => errorRow(candidate).status === status
  const known = Object.keys(errors).filter(isErrorCode)
  const byStatus = status === 404 ? (endpoint.absent ?? endpoint.errors.find(hasStatus)) : undefined
  return byStatus ?? known.find(hasStatus) ?? (status >= 500 ? 'upstream_error' : 'invalid_request')
}
