import { createInterface } from 'node:readline'
import { openSqlStore } from '@storeport/store-sql'
import { type Click, send } from '@storeport/testing/clicks'

/*
 * Child process that sends clicks. Arguments: store URL, date, and number of concurrent clicks. Reads one click as JSON
 * from each line of stdin until the line `go`, sends the clicks, and prints the key and the outcome of each click.
 */

const [url = '', today = '', concurrency = '1'] = process.argv.slice(2)
const store = await openSqlStore({ url, today })
const clicks: Click[] = []

async function sendInTurn(): Promise<void> {
  for (let next = clicks.shift(); next !== undefined; next = clicks.shift()) {
    const outcome = await send(store, next)
    process.stdout.write(`${next.key} ${outcome}\n`)
  }
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'go') break
  clicks.push(JSON.parse(line))
}
await Promise.all(Array.from({ length: Number(concurrency) }, sendInTurn))
await store.close()
