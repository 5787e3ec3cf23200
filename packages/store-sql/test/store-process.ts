import { once } from 'node:events'
import { openSqlStore } from '@storeport/store-sql'
import { chargeAt } from './start-process.ts'

/*
 * Child process that bills due orders in small runs, or resets the shop. Arguments: `bill` or `reset`, store URL, date,
 * the number of statements after which the process kills itself (0 means never), and the URL of a payment provider, if
 * orders are charged. Starts when it receives a message. Sends the number of orders and statements.
 */

const [work, url = '', today = '', killAfter = '0', provider = ''] = process.argv.slice(2)
let statements: number | undefined
const store = await openSqlStore({
  url,
  today,
  ...(provider !== '' && { charge: chargeAt(provider) }),
  onStatement: () => {
    if (statements === undefined) return
    statements += 1
    if (statements === Number(killAfter)) process.kill(process.pid, 'SIGKILL')
  },
})

process.send?.('ready')
await once(process, 'message')
statements = 0
let orders = 0
if (work === 'reset') await store.resetSeed()
for (let more = work === 'bill'; more;) {
  const run = await store.billDue({ limit: 20 })
  orders += run.billed
  more = run.more
}
process.send?.({ orders, statements })
process.disconnect()
await store.close()
