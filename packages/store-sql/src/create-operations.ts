import { type CompleteStorePort, StoreError } from '@storeport/core'
import { allRules, bindRules, type CatalogueProduct, findNamed, isDue } from '@storeport/rules'
import { type AccountNeeds, loadAccount, loadDiscount, loadOffered } from './account/load-account.ts'
import type { Database } from './db/database.ts'
import { createAccountChange } from './create-account-change.ts'
import type { TrialSettings } from './trial.ts'
import { type ActionSettings, createActionRunner } from './create-action-runner.ts'

/** The eleven operations over a database; each mutation is one transaction around a rule. */
export function createOperations(
  database: Database,
  settings: TrialSettings & ActionSettings,
  sweep: () => void,
): CompleteStorePort {
  const { dialect } = database
  const { createShop, readDate } = settings
  const changeAccount = createAccountChange(database, settings)
  const runAction = createActionRunner(database, settings)

  return {
    ...bindRules({
      // Reads the parts of the account that the rule uses, and asks the rule.
      read: async (name, input, context, rule) => {
        checkText(input)
        const { email, discount_code } = findNamed(name, input)
        if (readDate !== undefined) await database.read((_, send) => readDate(send), context)
        const { uses: parts, subscriptions: needed } = allRules[name]
        const load = async (subscriptions: AccountNeeds['subscriptions']) =>
          email === undefined
            ? undefined
            : database.read((_, send) => loadAccount(send, dialect, { email }, { parts, subscriptions }), context)
        let loaded = await load(needed)
        const discount =
          discount_code === undefined
            ? undefined
            : await database.read((_, send) => loadDiscount(send, dialect, discount_code), context)
        let offered: readonly CatalogueProduct[] = []
        let isWanted = false
        const shop = createShop({
          product: (id) => loaded?.products.get(id),
          discount: () => discount,
          offered: () => {
            isWanted = true
            return offered
          },
        })
        // What is due is shown as billed: then another subscription may be billed next.
        if (loaded !== undefined && isDue(loaded.account, shop)) loaded = await load('all')

        // The general list is long: it is read when the rule has asked for it, and the rule is asked again.
        const output = rule(loaded?.account, input, shop)
        if (!isWanted) return output
        offered = await database.read((_, send) => loadOffered(send), context)
        return rule(loaded?.account, input, shop)
      },

      keepsClicks: true,
      change: async (name, input, context, rule) => {
        checkText(input)
        await changeAccount({ name, input, context }, rule)
        sweep()
      },
    }),
    runCustomAction: async (input, context) => {
      checkText(input)
      await runAction(input, context)
      sweep()
    },
  }
}

/**
 * Throws StoreError `invalid_request` for a text that a database would refuse, cut short or change: control characters
 * and halves of surrogate pairs. The integration lets none through, but a store may be called without it.
 */
function checkText(input: object): void {
  for (const [field, value] of Object.entries(input)) {
    if (typeof value === 'string' && /[\p{Cc}\p{Cs}]/u.test(value)) {
      throw new StoreError('invalid_request', `${field}: must not hold control characters`)
    }
  }
}
