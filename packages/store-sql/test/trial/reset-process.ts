import { openSqlStore } from '@storeport/store-sql'

/*
 * Child process that resets a shop. Arguments: store URL, date, and number of statements in the reset after which the
 * process kills itself (0: never). Prints the number of statements.
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
