import { createInterface } from 'node:readline'
import { openSqlStore } from '@storeport/store-sql'
import { type Click, send } from '@storeport/testing/clicks'

/*
 * A process of its own that clicks: it is given the address of the store, and how many clicks to have under way at a
 * time. It reads clicks as lines of JSON, sends them as soon as the line `go` comes, and writes the key and the outcome
 * of each when the store has acknowledged it.
 */

const [url = '', today = '', atATime = '1'] = process.argv.slice(2)
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
await Promise.all(Array.from({ length: Number(atATime) }, sendInTurn))
await store.close()
