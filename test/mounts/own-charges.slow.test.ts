import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { listening } from '@storeport/testing/listen'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { runLine } from '@storeport/testing/run-as-user'
import { startProgram } from '@storeport/testing/start-program'
import { expect, it, onTestFinished } from 'vitest'

/*
 * Applies the section "Charges" of the guide to a copy of examples/own-database, and charges its orders.
 */

const email = 'reader@example.com'
const page = await readFile('docs/guide/own-database.md', 'utf8')
const section = page.slice(page.indexOf('### Charges'), page.indexOf('## Clicks in your transaction'))
const blocksOf = (language: string) =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

/** Lines that each file gets before the given line. */
const places = { 'load.ts': /^ {2}recommended: list/m, 'save.ts': /^\}\n$/m, 'store.ts': /^ {4}storesClicks: true/m }

/** Creates the changed copy. Its `charge` calls the given URL. */
async function createShop(url: string): Promise<string> {
  const folder = await mkdtemp(resolve('node_modules/.cache/charges-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp('examples/own-database', folder, { recursive: true, filter: (file) => !file.includes('node_modules') })
  const [charge = '', bill = ''] = blocksOf('ts')
  await writeFile(join(folder, 'charge.ts'), charge.replace('https://payments.example', url))
  const job = `import { charge } from './charge.ts'\nimport { close } from './database.ts'\n`
  await writeFile(
    join(folder, 'charge-due.ts'),
    `${job}${bill}\nawait chargeCustomer('${email}', charge)\nawait close()\n`,
  )
  const [, ...parts] = blocksOf('diff')
    .join('')
    .split(/^ {2}\/\/ (?=\w+\.ts)/m)
  expect(parts).toHaveLength(3)
  for (const part of parts) {
    const [name = ''] = part.split(':', 1)
    const place = Object.entries(places).find(([file]) => file === name)?.[1] ?? /never/
    const added = part.split('\n').flatMap((line) => (line.startsWith('+') ? [line.slice(2)] : []))
    const before = await readFile(join(folder, name), 'utf8')
    const after = before.replace(place, (found) => `${added.join('\n')}\n${found}`)
    expect(after).not.toBe(before)
    await writeFile(join(folder, name), name === 'store.ts' ? `import { charge } from './charge.ts'\n${after}` : after)
  }
  return folder
}

it('charges each order once, also after a lost response and in the billing job', async () => {
  const requests: unknown[] = []
  let status = 200
  const provider = await listening((request, response) => {
    requests.push(request.headers['idempotency-key'])
    response.writeHead(status).end()
  })
  onTestFinished(() => provider.stop?.())
  const folder = await createShop(provider.url ?? '')
  const postgres = await sharedPostgres()
  const database = await postgres.createDatabase()
  onTestFinished(() => postgres.dropDatabase(database))
  const env = { DATABASE_URL: database }
  const run = async (line: string) =>
    expect(await runLine(folder, line, { ...process.env, ...env })).toMatchObject({ code: 0 })
  await run('npm run setup')
  for (const statement of blocksOf('sql')) await postgres.query(statement, database)
  const { url, stop } = await startProgram(`npm start --prefix ${folder}`, env)
  onTestFinished(stop)
  const shop = shopAt(url, keys.first)
  const ordersOf = () =>
    postgres.query(
      'select id from orders where subscription_id is not null and placed_on >= current_date - 1',
      database,
    )
  const known = (await ordersOf()).length

  status = 500
  await expect(shop.sendNow({ email })).rejects.toMatchObject({ code: 'upstream_error' })
  expect(await ordersOf()).toHaveLength(known)
  status = 200
  await shop.sendNow({ email })
  expect(requests).toHaveLength(2)
  expect(new Set(requests).size).toBe(1)
  expect(await ordersOf()).toHaveLength(known + 1)

  await postgres.query(`update subscriptions set next_date = current_date - 1 where status = 'active'`, database)
  await run('npx tsx charge-due.ts')
  expect(new Set(requests).size).toBeGreaterThan(1)
  expect(await ordersOf()).toHaveLength(known + new Set(requests).size)
})
