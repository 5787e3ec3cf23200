import { dateIn, isDate, minorUnitDigits } from '@storeport/core'
import type { IdKind, Shop } from './shop.ts'

/** Options for the date of a store. */
export interface ClockOptions {
  /** The store's date, `YYYY-MM-DD`, or a function that returns the date; default: the current date in `timeZone`. */
  readonly today?: string | (() => string) | undefined
  /** Time zone of the store's date, as an IANA name; default `UTC`. */
  readonly timeZone?: string | undefined
  /**
   * Returns the time in milliseconds since 1970, from which the date is derived unless `today` is set. Default:
   * `Date.now`; if `today` is set, the shop has no time.
   */
  readonly now?: (() => number) | undefined
}

/**
 * Creates a function that returns a store's date, at the current time or at a given time. Throws for an invalid date or
 * time zone.
 */
export function createClock({ today, timeZone = 'UTC', now = Date.now }: ClockOptions): (at?: number) => string {
  if (typeof today === 'function') return () => today()
  if (today === undefined) {
    const dateOf = dateIn(timeZone)
    return (at = now()) => dateOf(new Date(at))
  }
  if (!isDate(today)) throw new Error('today: must be a date that exists, in the form YYYY-MM-DD')
  return () => today
}

/** Options of a shop. */
export interface ShopOptions extends ClockOptions {
  /** Base URL for image paths that start with a slash; default `http://localhost:3000`, as for the reference host. */
  readonly publicUrl?: string | (() => string) | undefined
  /** Currency of all amounts, as an ISO 4217 code; default `USD`. */
  readonly currency?: string | undefined
  /** Maximum quantity of an item; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** Number of days after cancellation during which a subscription can be reactivated; default 365. */
  readonly reactivationDays?: number | undefined
}

/**
 * Data that a store has loaded for one request; omitted parts are empty. `newId` creates the ids of new records, by
 * default `<kind>_<uuid>`. `at` is the time on the database's clock, in milliseconds since 1970.
 */
export type LoadedShop = Partial<Pick<Shop, 'product' | 'offered' | 'discount' | 'newId'>> & {
  readonly at?: number | undefined
}

/** Result of `readShopOptions`. */
export interface ShopSettings {
  /** Returns the shop's date, `YYYY-MM-DD`. */
  readonly today: () => string
  /** Currency of all amounts, as an ISO 4217 code. */
  readonly currency: string
  /** Creates the `Shop` of one request. */
  readonly createShop: (loaded: LoadedShop) => Shop
}

/** Reads the options of a shop and adds the defaults. Throws for an invalid date, time zone or currency. */
export function readShopOptions(options: ShopOptions = {}): ShopSettings {
  const { publicUrl = 'http://localhost:3000', currency = 'USD', maxQuantity = 1000, reactivationDays = 365 } = options
  const currency_digits = minorUnitDigits(currency)
  const today = createClock(options)
  // With `today` but without `now`, the shop has no time.
  const now = options.now ?? (options.today === undefined ? Date.now : returnUndefined)
  const followsDatabase = options.now === undefined && options.today === undefined
  return {
    today,
    currency,
    createShop: ({
      product = returnUndefined,
      offered = () => [],
      discount = returnUndefined,
      newId = createId,
      at,
    }) => ({
      today: followsDatabase ? today(at) : today(),
      now: followsDatabase ? (at ?? now()) : now(),
      currency_digits,
      max_quantity: maxQuantity,
      reactivation_days: reactivationDays,
      public_url: typeof publicUrl === 'string' ? publicUrl : publicUrl(),
      product,
      offered,
      discount,
      newId,
    }),
  }
}

function createId(kind: IdKind): string {
  return `${kind}_${crypto.randomUUID()}`
}

function returnUndefined(): undefined {}
