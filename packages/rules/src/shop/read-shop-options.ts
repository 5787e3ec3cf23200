import { dateIn, isDate, minorUnitDigits } from '@storeport/core'
import type { Shop } from './shop.ts'

/** How a store tells its date. */
export interface ClockOptions {
  /** The store's date `YYYY-MM-DD`, fixed or asked for at every call; default the real one in `timeZone`. */
  readonly today?: string | (() => string) | undefined
  /** Where the store's day begins, as an IANA name; default `UTC`. */
  readonly timeZone?: string | undefined
  /** The time in milliseconds since 1970, which the date follows unless `today` names it; default `Date.now`, and none beside `today`. */
  readonly now?: (() => number) | undefined
}

/** Returns a function that tells a store's date, at a time of the database's clock if it has one; throws for a date or a time zone that does not exist. */
export function createClock({ today, timeZone = 'UTC', now = Date.now }: ClockOptions): (at?: number) => string {
  if (typeof today === 'function') return () => today()
  if (today === undefined) {
    const dateOf = dateIn(timeZone)
    return (at = now()) => dateOf(new Date(at))
  }
  if (!isDate(today)) throw new Error('today: must be a date YYYY-MM-DD that exists')
  return () => today
}

/** What a merchant may set of a shop; everything has a default. */
export interface ShopOptions extends ClockOptions {
  /** What picture addresses that start with a slash are put behind; default `http://localhost:3000`, where the reference host is. */
  readonly publicUrl?: string | (() => string) | undefined
  /** Currency of every amount of the shop, as ISO 4217 writes it; default `USD`. */
  readonly currency?: string | undefined
  /** Most units that one line may hold; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** For how many days after its cancellation a subscription can be reactivated; default 365. */
  readonly reactivationDays?: number | undefined
}

/** What was loaded for one call; a part that is left out is empty. `at` is the time of the database's clock, in milliseconds since 1970. */
export type LoadedShop = Partial<Pick<Shop, 'product' | 'offered' | 'discount'>> & { readonly at?: number | undefined }

/** What a store makes the `Shop` of each call with. */
export interface ShopSettings {
  /** Returns the shop's date, `YYYY-MM-DD`. */
  readonly today: () => string
  /** Currency of every amount of the shop, ISO 4217. */
  readonly currency: string
  /** Makes the `Shop` of one call. */
  readonly createShop: (loaded: LoadedShop) => Shop
}

/** Completes the options of a shop; throws for a date, a time zone or a currency that does not exist. */
export function readShopOptions(options: ShopOptions = {}): ShopSettings {
  const { publicUrl = 'http://localhost:3000', currency = 'USD', maxQuantity = 1000, reactivationDays = 365 } = options
  const currency_digits = minorUnitDigits(currency)
  const today = createClock(options)
  // A date that is not the real one has no time of day.
  const now = options.now ?? (options.today === undefined ? Date.now : nothing)
  const followsDatabase = options.now === undefined && options.today === undefined
  return {
    today,
    currency,
    createShop: ({ product = nothing, offered = () => [], discount = nothing, at }) => ({
      today: followsDatabase ? today(at) : today(),
      now: followsDatabase ? (at ?? now()) : now(),
      currency_digits,
      max_quantity: maxQuantity,
      reactivation_days: reactivationDays,
      public_url: typeof publicUrl === 'string' ? publicUrl : publicUrl(),
      product,
      offered,
      discount,
      newId: (kind) => `${kind}_${crypto.randomUUID()}`,
    }),
  }
}

function nothing(): undefined {}
