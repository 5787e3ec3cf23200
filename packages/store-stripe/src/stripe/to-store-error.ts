import { type FailedOutcome, isStoreError, StoreError } from '@storeport/core'
import { type StripeSettingsCode, StripeSettingsError } from './settings.ts'

/** Converts a failed Stripe request to a StoreError, without Stripe's message, which can contain an email and part of the API key. */
export function toStoreError(error: unknown, outcome: FailedOutcome): StoreError {
  if (isStoreError(error)) return error
  if (!(error instanceof Error)) return new StoreError('upstream_error', undefined, { outcome })
  const { status, type, code, param, headers } = readFailure(error)
  switch (type) {
    case 'StripeCardError':
      return new StoreError('payment_failed', 'The payment was declined.', { outcome: 'refused' })
    case 'StripeRateLimitError':
      return new StoreError('rate_limited', undefined, {
        retryAfter: secondsOf(headers.get('retry-after')),
        outcome: 'refused',
      })
    case 'StripeAuthenticationError':
      return misconfigured(
        'STRIPE_KEY_REJECTED',
        'Stripe rejected the secret key. Copy a valid key from the API keys page of the Stripe dashboard.',
      )
    case 'StripePermissionError':
      return misconfigured('STRIPE_PERMISSION', explainPermission(error.message))
    case 'StripeIdempotencyError':
      return new StoreError('store_unavailable', undefined, { outcome: 'unknown', cause: describe(error, code) })
    case 'StripeInvalidRequestError':
      if (status === 409) return new StoreError('store_unavailable', undefined, { retryAfter: 2, outcome: 'unknown' })
      if (param?.includes('promotion_code') || code === 'coupon_expired') return new StoreError('invalid_discount_code')
      if (param === 'trial_end')
        return new StoreError('invalid_date', 'new_date: Stripe does not accept a date this late.')
      if (/no attached payment source|default payment method/i.test(error.message))
        return new StoreError('payment_failed', 'The customer has no payment method.')
      return new StoreError('upstream_error', undefined, { outcome: 'refused', cause: describe(error, code, param) })
    default: {
      const message = type === 'StripeConnectionError' ? 'Stripe did not respond.' : undefined
      return new StoreError('upstream_error', message, { outcome, cause: describe(error, code) })
    }
  }
}

/** Reads the fields of an error from a Stripe client. The client can come from any copy of the `stripe` package. */
export function readFailure(failure: unknown) {
  const error = Object(failure)
  const readString = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? value : undefined
  }
  const status: unknown = Reflect.get(error, 'statusCode')
  const headers: unknown = Reflect.get(error, 'headers')
  return {
    type: readString('type'),
    code: readString('code'),
    param: readString('param'),
    status: typeof status === 'number' ? status : undefined,
    headers: new Map(Object.entries(typeof headers === 'object' && headers !== null ? headers : {})),
  }
}

function misconfigured(code: StripeSettingsCode, message: string): StoreError {
  const cause = new StripeSettingsError(code, message)
  return new StoreError('upstream_error', undefined, { outcome: 'refused', cause })
}

/** Returns a message that names the missing permission. Omits Stripe's message, which contains part of the API key. */
function explainPermission(message: string): string {
  const permission = /\brak_[a-z_]+/.exec(message)?.[0]
  const which = permission === undefined ? '' : ` ${permission}`
  return `The restricted Stripe key lacks a permission${which}. Grant the permissions listed in the README of @storeport/store-stripe.`
}

/** Creates a cause that is safe to log: failure code and parameter name, without Stripe's message. */
function describe(error: Error, code = findNetworkCode(error), param?: string): Error {
  const { type = error.name } = readFailure(error)
  const kind = (code ?? type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')).toUpperCase()
  const cause = new Error(param === undefined ? kind : `${kind} of ${param}`)
  return Object.assign(cause, { code: kind })
}

/** Returns the code of the network failure behind an error, for example `ECONNREFUSED`. Stripe's client stores it in `detail`. */
function findNetworkCode(error: object): string | undefined {
  const inner: unknown = Reflect.get(error, 'detail') ?? Reflect.get(error, 'cause')
  if (!(inner instanceof Error)) return undefined
  return readFailure(inner).code ?? findNetworkCode(inner)
}

function secondsOf(header: unknown): number | undefined {
  const seconds = Number(header)
  return header !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
