import { billDue } from '@storeport/rules'
import { close, run, transact } from './database.ts'
import { load, lock, today } from './load.ts'
import { save } from './save.ts'
import { shopOf } from './store.ts'

const due = `select distinct email from customers c join subscriptions s on s.customer_id = c.id
  where s.status = 'active' and s.next_date <= ?`
const { rows } = await run(due, [today()])
let orders = 0

for (const row of rows) {
  const { email }: { email: string } = Object(row)
  const bill = transact(async (tx) => {
    await lock(tx, { email })
    const loaded = await load(tx, { email })
    const { account, customer_id } = loaded
    if (account === null || customer_id === null) return 0
    const after = billDue(account, shopOf(loaded))
    await save(tx, customer_id, account, after)
    return after.orders.length - account.orders.length
  })
  // A customer who cannot be billed stays due and does not block the other customers.
  orders += await bill.catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
    return 0
  })
}
console.log(`${orders} orders created`)
await close()
