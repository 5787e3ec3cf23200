import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@storeport/client'
import { keys } from '@storeport/testing/keys'
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

/** Runs the kit's command against the shop. Returns the exit code, the JSON and HTML reports, and the output. */
async function runCommand(...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'readme-shop-'))
  const files = { json: join(folder, 'r.json'), html: join(folder, 'r.html') }
  const line = `node --import tsx packages/conformance/src/main.ts ${shop.url} ${args.join(' ')} --json ${files.json} --html ${files.html}`
  const { code, text: out } = await runLine('.', line, userEnvironment({ STOREPORT_API_KEY: keys.first }))
  const [json = '', html = ''] = await Promise.all([files.json, files.html].map((file) => readFile(file, 'utf8')))
  const report: { sentences: readonly string[]; verdict: string } = JSON.parse(json)
  return { code, out, html, report }
}

it('delays a subscription and rejects an earlier date in the README shop', async () => {
  const client = createClient({ baseUrl: shop.url, apiKey: keys.first })
  const dateOf = async (email: string) => (await client.getSubscription({ email }))?.next_billing_date
  await client.delaySubscription({ email: customer.toUpperCase(), new_date: '2030-02-15' })
  expect(await dateOf(customer)).toBe('2030-02-15')
  await expect(client.delaySubscription({ email: customer, new_date: '2030-02-14' })).rejects.toMatchObject({
    code: 'invalid_date',
  })
  await expect(dateOf('somebody@example.com')).rejects.toMatchObject({ code: 'customer_not_found' })
})

it('reports INCOMPLETE in every report if the kit receives no customer emails', async () => {
  const { code, out, html, report } = await runCommand()
  expect(out).toMatch(/\n {2}INCOMPLETE {2}http:/)
  expect(code).toBe(3)
  expect(report.verdict).toBe('INCOMPLETE')
  expect(html).toContain('<span class="verdict incomplete">INCOMPLETE</span>')
  const untried = report.sentences.find((sentence) => sentence.startsWith('Not tried: '))
  expect(untried).toMatch(/^Not tried: JSON-2, .*Required: --other-customer EMAIL/)
  expect(out).toContain(untried)
  expect(html).toContain(untried)
})

it("reports READY if the kit receives the emails of the README shop's customers", async () => {
  const { code, out, html } = await runCommand('--customer', customer, '--other-customer', another)
  expect(out).toMatch(/\n {2}READY {2}http:/)
  expect(code).toBe(0)
  expect(html).toContain('<span class="verdict ready">READY</span>')
})
