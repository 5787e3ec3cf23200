import { readShopData, seed, type ShopData } from '@storeport/rules'
import { sql } from 'kysely'
import type { Database, Db } from '../db/database.ts'
import type { TrialShop } from '../sql-store.ts'
import { holdsSeedAlone } from './holds-seed-alone.ts'
import { resetShop } from './reset-shop.ts'
import { daysBetween, type TrialDate } from './trial-date.ts'

/** Opens what a database is that holds the seed, and nobody else's data; `undefined` for any other. */
export async function openTrial(
  database: Database,
  data: ShopData | undefined,
  { settings, unmoved }: TrialDate,
): Promise<TrialShop | undefined> {
  const { currency } = settings
  const start = () => readShopData(data ?? seed(unmoved(), currency), currency)
  const alone = holdsSeedAlone(start())
  if (!(await database.read((db) => isTrue(db, alone)))) return undefined

  return {
    moveDate: async (to) => {
      const days = String(daysBetween(unmoved(), to))
      // All at one moment: that nobody else's data is there, that the date moves forwards, and the move.
      const moved = await database.transaction(async (db) => {
        const { rows } = await sql`
          insert into settings (name, value) select 'days_ahead', cast(${days} as text) where ${alone}
          on conflict (name) do update set value = excluded.value
            where cast(settings.value as integer) < cast(excluded.value as integer)
          returning name`.execute(db)
        // A click of a later day is a click of its own, however soon it comes by the clock.
        if (rows.length > 0) await db.deleteFrom('clicks').where('id', '<>', 'storeport-age').execute()
        return rows.length > 0
      })
      if (moved) return 'moved'
      return (await database.read((db) => isTrue(db, alone))) ? 'not_later' : 'not_alone'
    },

    reset: () => database.transaction((db) => resetShop(db, database.dialect, start(), alone), { repeatable: true }),
  }
}

async function isTrue(db: Db, condition: ReturnType<typeof holdsSeedAlone>): Promise<boolean> {
  const { rows } = await sql`select 1 where ${condition}`.execute(db)
  return rows.length > 0
}
