import { once } from 'node:events'
import { openSqlStore } from '@storeport/store-sql'

/*
 * A process of its own that bills what is due, in small runs. It is given the address of the store, its date, and after
 * how many statements it ends as a crash would (0: never). It starts with the first line that it reads, and writes how
 * many orders it made and how many statements that took.
 */

const [url = '', today = '', killAfter = '0'] = process.argv.slice(2)
let statements: number | undefined
const store = await openSqlStore({
  url,
  today,
  onStatement: () => {
    if (statements === undefined) return
    statements += 1
    if (statements === Number(killAfter)) process.kill(process.pid, 'SIGKILL')
  },
})

process.stdout.write('ready\n')
await once(process.stdin, 'data')
statements = 0
let orders = 0
for (let more = true; more;) {
  const run = await store.billDue({ limit: 20 })
  orders += run.billed
  more = run.more
}
process.stdout.write(`${orders} ${statements}\n`)
process.stdin.destroy()
await store.close()
