import type { Context } from '@storeport/core'
import type { Stripe } from 'stripe'

/** A record of a click, written to an object's metadata by the request that makes the change. Contains no personal data. */
export interface Mark {
  /** Sequence number among the customer's marks, starting at 1. */
  readonly sequence: number
  /** Time of the click, in seconds since 1970. */
  readonly at: number
  /** First 40 characters of the click fingerprint. Set only for an unnamed click, which has no `Idempotency-Key`. */
  readonly fingerprint?: string | undefined
  /** Id of the added product. */
  readonly product?: string | undefined
  /** Number of units added. */
  readonly quantity?: number | undefined
  /** Id of the promotion code that the add or the swap applied to the order or to a line. */
  readonly promotion?: string | undefined
  /** End of the billing period in which the product was added, in seconds since 1970. Stripe then bills the product. */
  readonly due?: number | undefined
  /** Whether the add can no longer be undone. */
  readonly closed?: boolean | undefined
  /** Id of the invoice item that the click deletes after writing the mark. */
  readonly deletes?: string | undefined
}

/** A mark with its metadata key and the object that holds it. */
export interface FoundMark extends Mark {
  /** Metadata key of the mark. */
  readonly key: string
  /** Id of the customer, subscription or invoice item whose metadata contains the mark. */
  readonly holder: string
}

/** An object whose metadata contains marks. The id is empty if a request creates the object. */
export interface MarkHolder {
  readonly id: string
  readonly metadata: Stripe.Metadata | null
}

const isMarkKey = /^storeport_[0-9a-f]{30}$/
/** Stripe stores at most 50 metadata keys for each object, including the merchant's keys. */
const maxKeys = 50
/** Maximum number of marks on one object. At the maximum, each new mark replaces the oldest mark. */
const maxMarks = 40

/** Returns the metadata key for a click's mark. Stripe accepts keys of at most 40 characters. */
export function markKey(idempotencyKey: string): string {
  const digits = idempotencyKey.replaceAll('-', '')
  const isHex = /^[0-9a-f]{30,}$/.test(digits)
  const hex = isHex ? digits : Array.from(digits, (letter) => letter.charCodeAt(0).toString(16)).join('')
  return `storeport_${hex.slice(0, 30).padEnd(30, '0')}`
}

/** Returns the fingerprint for a mark. A named click needs no fingerprint, because its key identifies its repeats. */
export function fingerprintOf({ clickIdentity }: Context): string | undefined {
  return clickIdentity?.named === false ? clickIdentity.fingerprint.slice(0, 40) : undefined
}

/** Reads the valid marks from an object's metadata. */
export function readMarks({ id: holder, metadata }: MarkHolder): FoundMark[] {
  return Object.entries(metadata ?? {}).flatMap(([key, value]) => {
    const mark = isMarkKey.test(key) ? parseMark(value) : undefined
    return mark === undefined ? [] : [{ ...mark, key, holder }]
  })
}

function parseMark(text: string): Mark | undefined {
  try {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- only the store writes these keys
    const mark = JSON.parse(text) as Mark
    return Number.isSafeInteger(mark.sequence) ? mark : undefined
  } catch {
    return undefined
  }
}

/** Serializes a mark to a metadata value. Stripe accepts values of at most 500 characters. */
export function writeMark(mark: Mark & Partial<FoundMark>): string {
  return JSON.stringify({ ...mark, key: undefined, holder: undefined })
}

/** Number of newest marks on one object that are removed last, because they identify repeats. */
const keptMarks = 10

/** Returns a metadata update that makes space for a mark: removes the oldest marks first, and marks of adds that can be undone last. */
export function withoutOldest(holder: MarkHolder): Stripe.MetadataParam {
  const marks = readMarks(holder).toSorted((one, other) => one.sequence - other.sequence)
  const others = Object.keys(holder.metadata ?? {}).length - marks.length
  // Reserves three metadata keys: the id of the replaced subscription, the number of rejected changes and the date of a delay.
  const room = Math.max(0, Math.min(maxMarks, maxKeys - 3 - others) - 1)
  const old = marks.slice(0, -keptMarks)
  const [adds, rest] = [old.filter(canBeUndone), old.filter((mark) => !canBeUndone(mark))]
  const removable = [...rest, ...adds, ...marks.slice(-keptMarks)]
  return Object.fromEntries(removable.slice(0, Math.max(0, marks.length - room)).map(({ key }) => [key, '']))
}

/** Whether a mark is of an add that was neither undone nor closed. */
export function canBeUndone({ product, closed }: Mark): boolean {
  return product !== undefined && closed !== true
}
