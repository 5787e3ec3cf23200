import { openSqlStore, type SqlStore } from '@storeport/store-sql'

/** Opens the database of the shop; `seed` fills an empty one with a small shop to try things on. */
export function openStore(url: string, seed: boolean): Promise<SqlStore> {
  return openSqlStore({
    url,
    seed: seed ? 'if-empty' : false,
    // Where the pictures are whose addresses begin with a slash.
    publicUrl: process.env['STOREPORT_URL'],
    // What your custom buttons do, by action id. Throw a StoreError('action_not_allowed') to refuse.
    actions: {
      async claim_gift(_input, _context) {},
    },
  })
}
