import { type Context, type InputOf, type KeptAnswer, type PendingClick, StoreError } from '@storeport/core'
import { type ChangeName, type CustomerAccount, findNamed, type Rule, type ShopSettings } from '@storeport/rules'
import { loadAccount, loadAccountWith, type LoadedAccount } from '../account/load-account.ts'
import { lockCustomer } from '../account/lock-customer.ts'
import { saveAccount } from '../account/save-account.ts'
import { clickOfCall } from '../clicks/click-of-call.ts'
import type { ClickTable } from '../clicks/click-table.ts'
import { judgeAgain, type KeptAs, keepClick, successOf } from '../clicks/keep-click.ts'
import type { Database, Db } from '../db/database.ts'

/** A call that changes an account. */
export interface Change<Name extends ChangeName> {
  readonly name: Name
  readonly input: InputOf<Name>
  readonly context: Context
}

/** Changes an account by a rule, and answers whether it was a replay; throws StoreError. */
export type ChangeAccount = <Name extends ChangeName>(
  change: Change<Name>,
  rule: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount>,
) => Promise<KeptAnswer>

/**
 * Makes the transaction of a change: locks the customer, keeps the click, reads the account, asks the rule, saves what it
 * changed. All of it or nothing: after a crash a retry finds both the click and the change, or neither.
 */
export function createAccountChange(
  database: Database,
  createShop: ShopSettings['createShop'],
  clicks: ClickTable,
): ChangeAccount {
  const { dialect } = database

  /** Keeps the click and reads the account: for a server by one statement, since each is a round trip. */
  async function begin(db: Db, click: PendingClick, named: NamedAccount): Promise<Begun> {
    await lockCustomer(db, named.email)
    if (dialect === 'sqlite') {
      const keptAs = await keepClick(db, clicks, click)
      return { keptAs, loaded: keptAs === 'new' ? await loadAccount(db, dialect, named) : undefined }
    }
    const { loaded, value } = await loadAccountWith(db, named, {
      ctes: (parameters) => `kept as (${clicks.statements.insertAfter(parameters)} returning id)`,
      expression: 'select count(*) from kept',
      parameters: clicks.insertParameters(click, successOf(click)),
    })
    return { keptAs: value === 1 ? 'new' : await judgeAgain(db, clicks, click), loaded }
  }

  /** Remembers a success longer whose caller got no answer meanwhile; nobody waits for it. */
  function extend(click: PendingClick, lastsMs: number): void {
    database.transaction((db) => clicks.extend(db, click, lastsMs), { durable: false }).catch(() => {})
  }

  return async ({ name, input, context }, rule) => {
    const click = clickOfCall({ name, input, context })
    const named = { ...findNamed(name, input), email: input.email }
    const lastsMs = click.remembersMs()
    const answer = await database.transaction(
      async (db) => {
        const { keptAs, loaded } = await begin(db, click, named)
        if (keptAs !== 'new') return keptAs
        const product = (id: string) => loaded?.products.get(id)
        const after = rule(loaded?.account, input, createShop({ product, discount: () => loaded?.discount }))
        if (loaded !== undefined) await saveAccount(db, loaded, after)
        return keptAs
      },
      {
        waiting: context,
        // It finds its own click when it is run again.
        repeatable: true,
        mayCommit: (keptAs) => {
          if (keptAs !== 'new') return false
          // One that began later could end after the caller was told that nobody knows.
          if (performance.now() >= click.commitBy)
            throw new StoreError('store_timeout', undefined, { outcome: 'refused' })
          return true
        },
      },
    )
    if (answer === 'new' && click.remembersMs() > lastsMs) extend(click, click.remembersMs())
    return answer === 'replayed' ? 'replayed' : 'ran'
  }
}

type NamedAccount = Parameters<typeof loadAccountWith>[1]

interface Begun {
  readonly keptAs: KeptAs
  readonly loaded: LoadedAccount | undefined
}
