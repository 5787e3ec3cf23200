import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keys } from '@storeport/testing/keys'
import { readBlock } from '@storeport/testing/read-block'
import { shopAt } from '@storeport/testing/shop-at'
import { listening } from '@storeport/testing/listen'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { runLine } from '@storeport/testing/run-as-user'
import { startProgram } from '@storeport/testing/start-program'
import { expect, it, onTestFinished } from 'vitest'

/*
 * Adds `charge.ts` of the guide to a copy of examples/own-database, and charges its orders.
 */

const email = 'reader@example.com'

/** Creates the changed copy. Its `charge` calls the given URL. */
async function createShop(url: string): Promise<string> {
  const folder = await mkdtemp(resolve('node_modules/.cache/charges-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp('examples/own-database', folder, { recursive: true, filter: (file) => !file.includes('node_modules') })
  const charge = readBlock('docs/guide/own-database.md', 'ts', 'Charges')
  await writeFile(join(folder, 'charge.ts'), charge.replace('https://payments.example', url))
  return folder
}

it('charges each order once, also after a lost response and in the billing job', async () => {
  const requests: unknown[] = []
  let status = 200
  const provider = await listening((request, response) => {
    requests.push(request.headers['idempotency-key'])
    response.writeHead(status, { 'Payment-Id': 'pay_1' }).end()
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
  const stored = 'select payment from orders where payment is not null'
  expect(await postgres.query(stored, database)).toEqual([{ payment: 'pay_1' }])
  expect(await ordersOf()).toHaveLength(known + 1)

  status = 402
  await expect(shop.sendNow({ email: 'writer@example.com' })).rejects.toMatchObject({ code: 'payment_failed' })
  const declined = 'select declined from subscriptions where declined is not null'
  expect(await postgres.query(declined, database)).toEqual([{ declined: { on: expect.any(String), tries: 1 } }])
  expect(new Set(requests).size).toBe(2)
  status = 200

  await postgres.query(`update subscriptions set next_date = current_date - 1 where status = 'active'`, database)
  await run('npm run bill')
  expect(new Set(requests).size).toBeGreaterThan(2)
  expect(await ordersOf()).toHaveLength(known + new Set(requests).size - 1)
})
