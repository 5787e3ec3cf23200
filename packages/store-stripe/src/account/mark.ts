import type { Context } from '@storeport/core'
import type { Stripe } from 'stripe'

/**
 * What a click leaves in the metadata of what it changes, in the same request: that it was made, and what an undo must know of it.
 * Nothing in it is of the customer, and nothing in it comes from a clock but `at`.
 */
export interface Mark {
  /** Its place among the marks of a customer. */
  readonly turn: number
  /** When it was made, in seconds since 1970. */
  readonly at: number
  /** Start of the fingerprint of an unnamed click; see `fingerprintOf`. */
  readonly fingerprint?: string | undefined
  /** The product that was added. */
  readonly product?: string | undefined
  /** Units that were added. */
  readonly quantity?: number | undefined
  /** The promotion code that was applied for it. */
  readonly promotion?: string | undefined
  /** The end of the period in which it was added, in seconds since 1970: then it is billed. */
  readonly due?: number | undefined
  /** Whether it can no longer be taken back. */
  readonly closed?: boolean | undefined
  /** The invoice item that the click deletes after it was marked. */
  readonly deletes?: string | undefined
}

/** A mark and where it was found. */
export interface FoundMark extends Mark {
  /** Its key in the metadata. */
  readonly key: string
  /** The customer, subscription or invoice item that has it. */
  readonly holder: string
}

const start = 'storeport_'
const isMarkKey = /^storeport_[0-9a-f]{30}$/
/** Stripe keeps 50 keys of metadata of an object, some of which are the merchant's. */
const mostKeys = 50
/** Most marks of one object; an older one goes for each new one. */
const mostMarks = 40

/** The key of the mark of a click: Stripe accepts 40 characters. */
export function markKey(idempotencyKey: string): string {
  const digits = idempotencyKey.replaceAll('-', '')
  const isHex = /^[0-9a-f]{30,}$/.test(digits)
  const hex = isHex ? digits : Array.from(digits, (letter) => letter.charCodeAt(0).toString(16)).join('')
  return start + hex.slice(0, 30).padEnd(30, '0')
}

/** The fingerprint as a mark stores it. A named click has none: its repeats are found by its key. */
export function fingerprintOf({ clickIdentity }: Context): string | undefined {
  return clickIdentity?.named === false ? clickIdentity.fingerprint.slice(0, 40) : undefined
}

/** Reads the marks of an object; what is no mark, or was changed by somebody, is none. */
export function readMarks(holder: { readonly id: string; readonly metadata: Stripe.Metadata | null }): FoundMark[] {
  return Object.entries(holder.metadata ?? {}).flatMap(([key, value]) => {
    if (!isMarkKey.test(key)) return []
    const fields = new URLSearchParams(value)
    const number = (name: string) => (fields.has(name) ? Number(fields.get(name)) : undefined)
    const turn = number('n') ?? Number.NaN
    if (!Number.isSafeInteger(turn)) return []
    return [
      {
        key,
        holder: holder.id,
        turn,
        at: number('t') ?? 0,
        fingerprint: fields.get('c') ?? undefined,
        product: fields.get('p') ?? undefined,
        quantity: number('q'),
        promotion: fields.get('d') ?? undefined,
        due: number('e'),
        closed: fields.has('x'),
        deletes: fields.get('r') ?? undefined,
      },
    ]
  })
}

/** Writes a mark: Stripe takes 500 characters. */
export function writeMark(mark: Mark): string {
  const { turn, at, fingerprint, product, quantity, promotion, due, closed, deletes } = mark
  const fields = {
    n: turn,
    t: at,
    c: fingerprint,
    p: product,
    q: quantity,
    d: promotion,
    e: due,
    x: closed || undefined,
    r: deletes,
  }
  const written = new URLSearchParams()
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) written.set(field, String(value))
  return written.toString()
}

/** The oldest marks of an object, as metadata that takes them away, so that there is room for a new one. */
export function withoutOldest(holder: {
  readonly id: string
  readonly metadata: Stripe.Metadata | null
}): Stripe.MetadataParam {
  const marks = readMarks(holder).toSorted((one, other) => one.turn - other.turn)
  const others = Object.keys(holder.metadata ?? {}).length - marks.length
  // Two more keys are the day of the last order and the count of declined payments.
  const room = Math.max(0, Math.min(mostMarks, mostKeys - 2 - others) - 1)
  return Object.fromEntries(marks.slice(0, Math.max(0, marks.length - room)).map(({ key }) => [key, '']))
}
