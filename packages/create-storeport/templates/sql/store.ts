import { openSqlStore, type SqlStore } from '@storeport/store-sql'

const { DATABASE_URL = 'sqlite:store.db', SEED } = process.env

/** Opens the database of the shop; `seed` fills an empty database with an example shop. */
export function openStore(url = DATABASE_URL, seed = SEED === 'yes'): Promise<SqlStore> {
  return openSqlStore({
    url,
    seed: seed ? 'if-empty' : false,
    // Base URL for images whose stored URL begins with a slash.
    publicUrl: process.env['STOREPORT_URL'],
    // Your custom actions by action id. Throw a StoreError('action_not_allowed') to reject an action.
    actions: {
      async claim_gift(_input, _context) {},
    },
  })
}
