import { Refusal } from './refusal.ts'

const html5Email =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

const noControls = /^[^\p{Cc}\p{Cs}]*$/u

/** Most units of a call, and of an item. */
export const maxQuantity = 1000

/** Body of POST delay. */
export interface DelayInput {
  readonly email: string
  readonly new_date: string
}

/** Body of POST add-product. */
export interface AddInput {
  readonly email: string
  readonly product_id: string
  readonly quantity: number
  readonly one_time: boolean
}

/** The email of a query; refused when it is missing, sent twice, badly encoded or no email. */
export function emailOfQuery(query: string): string {
  let email: string | undefined
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals))
    if (name !== 'email') continue
    if (email !== undefined) throw new Refusal('invalid_request', 'email: must be sent only once')
    email = decoded(equals === -1 ? '' : pair.slice(equals + 1))
    if (email === undefined) throw new Refusal('invalid_request', 'email: must be percent-encoded UTF-8')
  }
  return checkedEmail(email)
}

/** The input of POST delay. */
export function delayInput(text: string): DelayInput {
  const body = checkedBody(text)
  return {
    email: checkedEmail('email' in body ? body.email : undefined),
    new_date: checkedDate('new_date' in body ? body.new_date : undefined),
  }
}

/** The input of POST add-product, in the order in which its digest has the fields. */
export function addInput(text: string): AddInput {
  const body = checkedBody(text)
  if ('discount_code' in body && body.discount_code !== null) {
    throw new Refusal('internal_error', 'discount_code: is not written by hand')
  }
  return {
    email: checkedEmail('email' in body ? body.email : undefined),
    product_id: checkedId('product_id' in body ? body.product_id : undefined),
    quantity: checkedQuantity('quantity' in body ? body.quantity : null),
    one_time: checkedFlag('one_time' in body ? body.one_time : null),
  }
}

/** Refuses a body that is not announced as JSON. */
export function requireJson(contentType: string | null | undefined): void {
  if (contentType === 'application/json') return
  const mediaType = (contentType ?? '').split(';', 1)[0]
  if (mediaType?.trim().toLowerCase() !== 'application/json') throw new Refusal('unsupported_media_type')
}

/** Whether a text of the right form names a day of the calendar. */
export function isCalendarDate(text: string): boolean {
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (month < 1 || month > 12 || day < 1) return false
  if (month === 2) return day <= ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28)
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
}

/** Whether a text is an email address by the rule of HTML. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && html5Email.test(text)
}

function checkedBody(text: string): object {
  const body = parsed(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new Refusal('invalid_request', 'body: must be a JSON object')
}

function checkedId(value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= 255 && noControls.test(value)) return value
  throw new Refusal('invalid_request', 'product_id: must be 1 to 255 characters, none of them a control character')
}

function checkedQuantity(value: unknown): number {
  if (value === null) return 1
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= maxQuantity) return value
  throw new Refusal('invalid_request', `quantity: must be a whole number from 1 to ${maxQuantity}`)
}

function checkedFlag(value: unknown): boolean {
  if (value === null) return false
  if (typeof value === 'boolean') return value
  throw new Refusal('invalid_request', 'one_time: must be true or false')
}

function checkedEmail(value: unknown): string {
  if (typeof value !== 'string') throw new Refusal('invalid_request', 'email: must be a string')
  const email = value.trim()
  if (isEmail(email)) return email
  throw new Refusal('invalid_request', 'email: must be an email address')
}

function checkedDate(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    throw new Refusal('invalid_request', 'new_date: must be a date of the form YYYY-MM-DD')
  }
  if (!isCalendarDate(value)) throw new Refusal('invalid_date', 'new_date: must be a date that exists')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('invalid_request', 'body: must be valid JSON')
  }
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
