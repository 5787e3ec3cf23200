import { openSqlStore } from '@storeport/store-sql'

/*
 * A process of its own that resets a shop. It is given the address of the store, its date, and after how many statements
 * of the reset it ends as a crash would (0: never); it writes how many statements there were.
 */

const [url = '', today = '', killAfter = '0'] = process.argv.slice(2)
let statements: number | undefined
const store = await openSqlStore({
  url,
  today,
  trial: true,
  onStatement: () => {
    if (statements === undefined) return
    statements += 1
    if (statements === Number(killAfter)) process.kill(process.pid, 'SIGKILL')
  },
})
statements = 0
await store.trial?.reset()
process.stdout.write(`${statements}\n`)
await store.close()
