import { completeClick, StoreError } from '@storeport/core'
import { type AccountChange, billDue, chargeDue, completedClick } from '@storeport/rules'
import { today } from './account.ts'
import { charge } from './charge.ts'
import { close, transact } from './database.ts'
import { findDue } from './rows.ts'
import { applyChange, clicks } from './store.ts'

let orders = 0

/** Applies a change of the billing job to a customer, and counts the new orders. */
async function change(email: string, apply: AccountChange): Promise<void> {
  const { before, after } = await transact((tx) => applyChange(tx, { email }, apply))
  if (before === undefined) return
  orders += after.orders.length - before.orders.length
  // A repeat of the click of a charged order is then a replay.
  const click = completedClick(before, after)
  if (click) await clicks.update(click.customer, (stored, now) => completeClick(stored, click.key, now))
}

const bill: AccountChange = (account, shop) => {
  if (account === undefined) throw new StoreError('customer_not_found')
  return billDue(account, shop)
}

for (const email of await findDue(today())) {
  const billing = charge === undefined ? change(email, bill) : chargeDue((step) => change(email, step), charge)
  // A customer who cannot be billed stays due and does not block the other customers.
  await billing.catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
}
console.log(`${orders} orders created`)
await close()
