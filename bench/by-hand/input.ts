import { type AddInput, ApiError, type DelayInput } from './contract.ts'

const html5Email =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** Returns the email from a query string. Throws ApiError for a missing, repeated, badly encoded or invalid email. */
export function emailOfQuery(query: string): string {
  const sent = query.split('&').filter((pair) => pair.startsWith('email='))
  if (sent.length > 1) throw new ApiError('invalid_request', 'email: must be sent only once')
  const email = sent[0]?.slice('email='.length)
  try {
    return checkedEmail(email?.includes('%') ? decodeURIComponent(email) : email)
  } catch {
    throw new ApiError('invalid_request', 'email: must be an email address in percent-encoded UTF-8')
  }
}

/** Parses the body of POST delay. Throws ApiError for invalid input. */
export function delayInput(text: string): DelayInput {
  const { email, new_date } = parsedObject(text)
  return { email: checkedEmail(email), new_date: checkedDate(new_date) }
}

/** Maximum quantity in a request, and maximum total quantity of an item. */
export const maxQuantity = 1000

/** Parses the body of POST add-product. Treats `null` as an absent field. Throws ApiError for invalid input. */
export function addInput(text: string): AddInput {
  const { email, product_id, quantity, one_time, discount_code } = parsedObject(text)
  if (typeof product_id !== 'string' || product_id === '' || product_id.length > 255 || !noControls.test(product_id))
    throw new ApiError('invalid_request', 'product_id: must be 1 to 255 characters without control characters')
  if (discount_code !== undefined && discount_code !== null) throw new Error('Discounts are not written by hand.')
  return {
    email: checkedEmail(email),
    product_id,
    quantity: checkedQuantity(quantity ?? 1),
    one_time: checkedFlag(one_time ?? false),
  }
}

const noControls = /^[^\p{Cc}\p{Cs}]*$/u

function checkedQuantity(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= maxQuantity) return value
  throw new ApiError('invalid_request', `quantity: must be a whole number from 1 to ${maxQuantity}`)
}

function checkedFlag(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new ApiError('invalid_request', 'one_time: must be true or false')
}

/** Throws ApiError for a request in test mode, because this shop has no test store. */
export function rejectTestMode(header: string | undefined, query: string): void {
  const mode = header ?? (query.includes('test') ? new URLSearchParams(query).get('test') : undefined)
  if (mode === null || mode === undefined || mode === 'false') return
  throw new ApiError('invalid_request', 'test mode: this shop has no test store')
}

/** Throws ApiError for a content type other than JSON. */
export function requireJson(contentType: string | undefined): void {
  if (contentType === 'application/json') return
  const mediaType = (contentType ?? '').split(';', 1)[0]
  if (mediaType?.trim().toLowerCase() !== 'application/json') throw new ApiError('unsupported_media_type')
}

/** Whether a string is an existing calendar date in the format YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (month < 1 || month > 12 || day < 1) return false
  if (month === 2) return day <= ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28)
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
}

function checkedEmail(value: unknown): string {
  if (typeof value !== 'string') throw new ApiError('invalid_request', 'email: must be a string')
  const email = value.trim()
  if (email.length <= 254 && html5Email.test(email)) return email
  throw new ApiError('invalid_request', 'email: must be an email address')
}

function checkedDate(value: unknown): string {
  if (typeof value === 'string' && isDate(value)) return value
  throw new ApiError('invalid_date', 'new_date: must be a date, YYYY-MM-DD')
}

function parsedObject(text: string): Readonly<Record<string, unknown>> {
  let body: unknown
  try {
    body = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    throw new ApiError('invalid_request', 'body: must be valid JSON')
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new ApiError('invalid_request', 'body: must be a JSON object')
}
