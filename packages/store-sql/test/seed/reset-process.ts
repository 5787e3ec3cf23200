import { openSqlStore } from '@storeport/store-sql'

/*
 * Child process that resets a shop. Arguments: store URL, date, and the number of statements after which the process
 * kills itself (0 means never). Prints the number of statements in the reset.
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
statements = 0
await store.resetSeed()
process.stdout.write(`${statements}\n`)
await store.close()
