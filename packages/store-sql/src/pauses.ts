import { endpointNames, type EndpointName, type PauseMode } from '@storeport/core'
import type { Database } from './db/database.ts'
import type { PauseSwitches } from './sql-store.ts'

const nameOf = (operation: EndpointName) => `pause:${operation}` as const

/** Creates the switches. Each paused operation has a row, so that two operators never overwrite each other. */
export function createPauses(database: Database): PauseSwitches {
  return {
    read: async () => {
      const rows = await database.read((db) =>
        db.selectFrom('settings').select(['name', 'value']).where('name', 'in', endpointNames.map(nameOf)).execute(),
      )
      const modes = new Map<string, PauseMode>(
        rows.map(({ name, value }) => [name, value === 'hidden' ? 'hidden' : 'paused']),
      )
      return new Map(
        endpointNames.flatMap((operation) => {
          const mode = modes.get(nameOf(operation))
          return mode === undefined ? [] : [[operation, mode] as const]
        }),
      )
    },
    set: async (operations, mode) => {
      const names = operations.map(nameOf)
      if (names.length === 0) return
      await database.transaction(async (db) => {
        await db.deleteFrom('settings').where('name', 'in', names).execute()
        if (mode === undefined) return
        await db
          .insertInto('settings')
          .values(names.map((name) => ({ name, value: mode })))
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: mode }))
          .execute()
      })
    },
  }
}
