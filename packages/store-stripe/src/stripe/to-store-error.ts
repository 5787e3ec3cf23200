import { type FailedOutcome, isStoreError, StoreError } from '@storeport/core'
import { type StripeSettingsCode, StripeSettingsError } from './settings.ts'

/**
 * What a failed request to Stripe means to the caller; `outcome` is what is known of the change where Stripe does not say it.
 *
 * The message of what Stripe answers goes to nobody: it may hold an email, and the end of a key.
 */
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
        'STRIPE_KEY_REFUSED',
        'Stripe refuses the secret key: set it to one of this account, from the page API keys of the dashboard.',
      )
    case 'StripePermissionError':
      return misconfigured('STRIPE_PERMISSION', explainPermission(error.message))
    case 'StripeIdempotencyError':
      return new StoreError('store_unavailable', undefined, { outcome: 'unknown', cause: describe(error, code) })
    case 'StripeInvalidRequestError':
      if (status === 409) return new StoreError('store_unavailable', undefined, { retryAfter: 2, outcome: 'unknown' })
      if (param?.includes('promotion_code')) return new StoreError('invalid_discount_code')
      if (param === 'trial_end')
        return new StoreError('invalid_date', 'new_date: Stripe takes no date as late as that.')
      if (isWithoutPayment(error.message)) return new StoreError('payment_failed', 'There is no payment method.')
      return new StoreError('upstream_error', undefined, { outcome: 'refused', cause: describe(error, code, param) })
    case 'StripeConnectionError':
      return new StoreError('upstream_error', 'Stripe gave no answer.', { outcome, cause: describe(error, code) })
    default:
      return new StoreError('upstream_error', undefined, { outcome, cause: describe(error, code) })
  }
}

/** What is read of an error of the client, whichever copy of its package made it. */
export function readFailure(error: object) {
  const text = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? value : undefined
  }
  const status: unknown = Reflect.get(error, 'statusCode')
  const headers: unknown = Reflect.get(error, 'headers')
  return {
    type: text('type'),
    code: text('code'),
    param: text('param'),
    status: typeof status === 'number' ? status : undefined,
    headers: new Map(Object.entries(typeof headers === 'object' && headers !== null ? headers : {})),
  }
}

function misconfigured(code: StripeSettingsCode, message: string): StoreError {
  const cause = new StripeSettingsError(code, message)
  return new StoreError('upstream_error', undefined, { outcome: 'refused', cause })
}

/** Stripe names the permission that would do, and a part of the key, which is left out. */
function explainPermission(message: string): string {
  const permission = /\brak_[a-z_]+/.exec(message)?.[0]
  const which = permission === undefined ? '' : ` ${permission}`
  return `The restricted key of Stripe lacks a permission${which}: give it the permissions that the README of @storeport/store-stripe lists.`
}

function isWithoutPayment(message: string): boolean {
  return /no attached payment source|default payment method/i.test(message)
}

/** A cause that can be logged: the kind of failure, and which parameter it is about, without what Stripe says. */
function describe({ name }: Error, code?: string, param?: string): Error {
  const kind = (code ?? name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')).toUpperCase()
  const cause = new Error(param === undefined ? kind : `${kind} of ${param}`)
  return Object.assign(cause, { code: kind })
}

function secondsOf(header: unknown): number | undefined {
  const seconds = Number(header)
  return header !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
