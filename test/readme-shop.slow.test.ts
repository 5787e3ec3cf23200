import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keys } from '@storeport/testing/keys'
import { makeFolder } from '@storeport/testing/make-folder'
import { shopAt } from '@storeport/testing/shop-at'
import { runLine, userEnvironment } from '@storeport/testing/run-as-user'
import { type RunningProgram, startExample } from '@storeport/testing/start-program'
import { afterAll, beforeAll, expect, it } from 'vitest'

const customer = 'customer@example.com'
const another = 'another@example.com'

let shop: RunningProgram
beforeAll(async () => {
  shop = await startExample('minimal-store')
})
afterAll(() => shop.stop())

/** Runs the kit's command against the shop. Returns the exit code, the JSON report, and the output. */
async function runCommand(...args: string[]) {
  const file = join(await makeFolder('readme-shop'), 'r.json')
  const line = `node --import tsx packages/conformance/src/main.ts ${shop.url} ${args.join(' ')} --json ${file}`
  const { code, text: out } = await runLine('.', line, userEnvironment({ STOREPORT_API_KEY: keys.first }))
  const report: { sentences: readonly string[]; verdict: string } = JSON.parse(await readFile(file, 'utf8'))
  return { code, out, report }
}

it('delays a subscription and rejects an earlier date in the README shop', async () => {
  const readmeShop = shopAt(shop.url, keys.first)
  const dateOf = async (email: string) => (await readmeShop.getSubscription({ email }))?.next_billing_date
  await readmeShop.delaySubscription({ email: customer.toUpperCase(), new_date: '2030-02-15' })
  expect(await dateOf(customer)).toBe('2030-02-15')
  await expect(readmeShop.delaySubscription({ email: customer, new_date: '2030-02-14' })).rejects.toMatchObject({
    code: 'invalid_date',
  })
  await expect(dateOf('somebody@example.com')).rejects.toMatchObject({ code: 'customer_not_found' })
})

it('reports INCOMPLETE in every report if the kit receives no customer emails', async () => {
  const { code, out, report } = await runCommand()
  expect(out).toMatch(/\n {2}INCOMPLETE {2}http:/)
  expect(code).toBe(3)
  expect(report.verdict).toBe('INCOMPLETE')
  const untried = report.sentences.find((sentence) => sentence.startsWith('Not tried: '))
  expect(untried).toMatch(/^Not tried: JSON-2, .*Required: --other-customer EMAIL/)
  expect(out).toContain(untried)
})

it("reports READY if the kit receives the emails of the README shop's customers", async () => {
  const { code, out } = await runCommand('--customer', customer, '--other-customer', another)
  expect(out).toMatch(/\n {2}READY {2}http:/)
  expect(code).toBe(0)
})
