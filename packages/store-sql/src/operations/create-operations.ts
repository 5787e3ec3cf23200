import type { CompleteStorePort } from '@storeport/core'
import { bindRules, type CatalogueProduct, findNamed, readParts, type ShopSettings } from '@storeport/rules'
import { loadDiscount, loadOffered } from '../account/catalogue.ts'
import { loadAccount, loadParts } from '../account/load-account.ts'
import { lockCustomer } from '../account/lock-customer.ts'
import { saveAccount } from '../account/save-account.ts'
import { keepKey } from '../clicks/applied-keys.ts'
import type { Sweep } from '../clicks/create-sweep.ts'
import type { Database } from '../db/database.ts'
import { checkText } from './check-text.ts'
import { type ActionSettings, createActionRunner } from './create-action-runner.ts'

/** The eleven operations over a database; each mutation is one transaction around a rule. */
export function createOperations(
  database: Database,
  settings: ShopSettings & ActionSettings,
  sweep: Sweep,
): CompleteStorePort {
  const { dialect } = database
  const { createShop } = settings

  return {
    ...bindRules({
      // Reads the parts of the account that the rule uses, and asks the rule.
      read: async (name, input, context, rule) => {
        checkText(input)
        const { email, discount_code } = findNamed(name, input)
        const loaded =
          email === undefined
            ? undefined
            : await database.read((db) => loadParts(db, dialect, email, readParts[name]), context)
        const discount =
          discount_code === undefined
            ? undefined
            : await database.read((db) => loadDiscount(db, dialect, discount_code), context)
        const product = (id: string) => loaded?.products.get(id)
        const ask = (offered: () => readonly CatalogueProduct[]) =>
          rule(loaded?.account, input, createShop({ product, discount: () => discount, offered }))

        // The general list is long: it is read when the rule has asked for it, and the rule is asked again.
        let isWanted = false
        const output = ask(() => {
          isWanted = true
          return []
        })
        if (!isWanted) return output
        const offered = await database.read((db) => loadOffered(db, dialect), context)
        return ask(() => offered)
      },

      // Locks the customer, keeps the key, reads the account, asks the rule, saves what it changed: all of it or nothing.
      change: async (name, input, context, rule) => {
        checkText(input)
        const { idempotencyKey } = context
        await database.transaction(
          async (db) => {
            await lockCustomer(db, input.email)
            if (!(await keepKey(db, { name, input, idempotencyKey }, Date.now()))) return
            const loaded = await loadAccount(db, dialect, { ...findNamed(name, input), email: input.email })
            const product = (id: string) => loaded?.products.get(id)
            const after = rule(loaded?.account, input, createShop({ product, discount: () => loaded?.discount }))
            if (loaded !== undefined) await saveAccount(db, loaded, after)
          },
          { waiting: context, repeatable: idempotencyKey !== '' },
        )
        sweep()
      },
    }),
    runCustomAction: createActionRunner(database, settings, sweep),
  }
}
