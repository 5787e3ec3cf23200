import { addDays, type Shop, type ShopSettings } from '@storeport/rules'
import type { Send } from '../db/connections.ts'

/** The settings of a shop whose date may be moved. */
export interface TrialSettings extends ShopSettings {
  /** Reads by how much the date was moved; called in every transaction before the shop is made, so that data and date are of one moment. */
  readonly readDate?: ((send: Send) => Promise<void>) | undefined
}

/** A date that is so many days ahead of the clock's. */
export interface TrialDate {
  /** The settings with that date. */
  readonly settings: TrialSettings
  /** The date without what it was moved by, `YYYY-MM-DD`. */
  readonly unmoved: () => string
  /** Reads by how much the date was moved. */
  readonly read: (send: Send) => Promise<void>
}

const dayMs = 86_400_000

/** Makes the date of a database that keeps by how much it was moved. */
export function createTrialDate(settings: ShopSettings): TrialDate {
  let ahead = 0
  const read = async (send: Send) => {
    ahead = await readDaysAhead(send)
  }
  const move = (shop: Shop): Shop => ({
    ...shop,
    today: addDays(shop.today, ahead),
    now: shop.now === undefined ? undefined : shop.now + ahead * dayMs,
  })
  return {
    settings: {
      ...settings,
      today: () => addDays(settings.today(), ahead),
      createShop: (loaded) => move(settings.createShop(loaded)),
      readDate: read,
    },
    unmoved: settings.today,
    read,
  }
}

async function readDaysAhead(send: Send): Promise<number> {
  const { rows } = await send<{ value: string }>(`select value from settings where name = 'days_ahead'`, [])
  return Number(rows[0]?.value ?? 0)
}

/** Returns how many days a date is after another one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
