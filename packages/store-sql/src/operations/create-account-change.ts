import { type Context, type InputOf, type KeptAnswer, type PendingClick, StoreError } from '@storeport/core'
import {
  type ChangeName,
  changeParts,
  type CustomerAccount,
  findNamed,
  isDue,
  type Rule,
  subscriptionNeeds,
} from '@storeport/rules'
import { type AccountInput, loadAccount, loadAccountWith, type LoadedAccount } from '../account/load-account.ts'
import { saveAccount } from '../account/save-account.ts'
import { clickOfCall } from '../clicks/click-of-call.ts'
import type { ClickTable } from '../clicks/click-table.ts'
import { judgeAgain, type KeptAs, keepClick, successOf } from '../clicks/keep-click.ts'
import type { Send } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import type { TrialSettings } from '../trial/trial-date.ts'

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
  { createShop, readDate }: Pick<TrialSettings, 'createShop' | 'readDate'>,
  clicks: ClickTable,
): ChangeAccount {
  const { dialect } = database

  /** Keeps the click and reads the account: for a server by one statement, since each is a round trip. */
  async function begin(send: Send, click: PendingClick, named: AccountInput, name: ChangeName): Promise<Begun> {
    const needs = { parts: changeParts[name], subscriptions: subscriptionNeeds[name] }
    if (dialect === 'sqlite') {
      const keptAs = await keepClick(send, clicks, click)
      return { keptAs, loaded: keptAs === 'new' ? await loadAccount(send, dialect, named, needs) : undefined }
    }
    const { loaded, value } = await loadAccountWith(send, named, needs, {
      name: 'click',
      ctes: (parameters) => `kept as (${clicks.statements.insertAfter(parameters)} returning id)`,
      expression: 'select count(*) from kept',
      parameters: clicks.insertParameters(click, successOf(click)),
    })
    return { keptAs: value === 1 ? 'new' : await judgeAgain(send, clicks, click), loaded }
  }

  async function change<Name extends ChangeName>(
    send: Send,
    click: PendingClick,
    { name, input }: Change<Name>,
    rule: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount>,
  ): Promise<KeptAs> {
    const named = { ...findNamed(name, input), email: input.email }
    const begun = await begin(send, click, named, name)
    if (begun.keptAs !== 'new') return begun.keptAs
    let { loaded } = begun
    if (readDate !== undefined) await readDate(send)
    const shop = createShop({ product: (id) => loaded?.products.get(id), discount: () => loaded?.discount })
    // Whoever is billed needs the whole account.
    if (loaded !== undefined && isDue(loaded.account, shop)) loaded = await loadAccount(send, dialect, named)
    const after = rule(loaded?.account, input, shop)
    if (loaded !== undefined) await saveAccount(send, dialect, loaded, after)
    return 'new'
  }

  /** Remembers a success longer whose caller got no answer meanwhile; nobody waits for it. */
  function extend(click: PendingClick, lastsMs: number): void {
    database.transaction((_, send) => clicks.extend(send, click, lastsMs), { durable: false }).catch(() => {})
  }

  return async (call, rule) => {
    const { context } = call
    const click = clickOfCall(call)
    const lastsMs = click.remembersMs()
    const answer = await database.transaction((_, send) => change(send, click, call, rule), {
      waiting: context,
      customer: call.input.email,
      // It finds its own click when it is run again.
      repeatable: true,
      mayCommit: (keptAs) => {
        if (keptAs !== 'new') return false
        if (context.click === undefined) context.signal.throwIfAborted()
        // A commit that began later could end after the caller was told that nobody knows.
        if (performance.now() < click.commitBy) return true
        throw new StoreError('store_timeout', undefined, { outcome: 'refused' })
      },
    })
    const longerMs = answer === 'new' ? click.remembersMs() : lastsMs
    if (longerMs > lastsMs) extend(click, longerMs)
    return answer === 'replayed' ? 'replayed' : 'ran'
  }
}

interface Begun {
  readonly keptAs: KeptAs
  readonly loaded: LoadedAccount | undefined
}
