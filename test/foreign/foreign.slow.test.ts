import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  collectReport,
  createReport,
  isRequirementId,
  offeredBy,
  parseProfile,
  type RequirementId,
  requirements,
  runChecks,
  type RunOptions,
  seedProfile,
  sendByHttp,
} from '@storeport/conformance'
import { keys } from '@storeport/testing/keys'
import { expect, it, onTestFinished } from 'vitest'

/** Source of a Python shop that implements the contract. The kit runs against the shop, with and without defects. */
const source = readFileSync(join(import.meta.dirname, 'shop.py'), 'utf8')

const { customers, discounts, actions, recommended, products, subscriptions } = seedProfile
const profile = parseProfile({
  customers,
  discounts: { percentage: discounts.percentage, fixed: discounts.fixed, unknown: discounts.unknown },
  actions,
  recommended,
  products: { listed: products.listed.map(({ id, price }) => ({ id, price })) },
  subscriptions: { cancelled: subscriptions.cancelled, unknown: subscriptions.unknown },
})

it(
  'reports risks but no failed "must" for a Python shop without protection against repeats',
  { timeout: 300_000 },
  async () => {
    const options = await startShop(source)
    const { results, offered } = await collectReport(runChecks({ ...options, mode: 'stress' }))
    const report = createReport({
      results,
      offered,
      kit: 'kit',
      baseUrl: 'http://shop.example',
      basePath: '/integration',
      startedAt: '2026-11-20T10:00:00.000Z',
      durationMs: 1,
      mode: 'stress',
      only: [],
      strict: false,
      profile: 'of the test',
      problem: undefined,
    })
    expect(report.musts.failed.filter((id) => isRequirementId(id) && requirements[id]?.level === 'must')).toEqual([])
    expect(report.risks[0]?.risk).toBe('A click takes effect twice.')
    expect(report.verdict).toBe('CONFORMS, NOT READY')
  },
)

/** Defects by requirement, check and description. Each value contains a string in the source and its replacement. */
const defects: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'AUTH-3 addProduct.rejects-an-invalid-key: accepts any key': ['!= KEY: raise', 'is None: raise'],
  'AUTH-3 authentication.rejects-a-list-of-keys: accepts a key that starts with the valid key': [
    "self.headers['X-Integration-API-Key'] != KEY",
    "not (self.headers['X-Integration-API-Key'] or '').startswith(KEY)",
  ],
  'AUTH-1 sendNow.rejects-a-request-without-a-key: returns 403 for an invalid key': ['Rejected(401,', 'Rejected(403,'],
  'ERROR-1 responses.are-either-success-or-error: returns errors without a message': [
    "'message': 'The request failed.'",
    "'message': ''",
  ],
  'JSON-3 responses.are-json: omits the content type': [
    "        self.send_header('Content-Type', 'application/json')\n",
    '',
  ],
  'ADD-1 addProduct.adds-a-new-product: ignores the quantity': [
    "same['quantity'] += quantity",
    "same['quantity'] += 1",
  ],
  'FIELD-6 addProduct.rejects-invalid-fields-of-a-customer: accepts a quantity of 0': ['quantity < 1', 'quantity < 0'],
  'FIELD-3 addProduct.rejects-invalid-fields-of-a-customer: accepts a string as a boolean': [
    'type(value) is not kind or',
    'kind is not bool and type(value) is not kind or',
  ],
  'ADD-5 sendNow.uses-up-one-time-lines: does not remove one-time items': ["if not entry['once']]", ']'],
  'UNDO-1 undoAddProduct.restores-the-subscription: does not undo the add': ["    same['quantity'] -= quantity\n", ''],
  'DELAY-1 delaySubscription.moves-the-date: delays by one extra day': [
    "['date'] = fields['new_date']",
    "['date'] = str(datetime.date.fromisoformat(fields['new_date']) + datetime.timedelta(1))",
  ],
  'DATE-1 delaySubscription.rejects-invalid-fields-of-a-customer: accepts any string as a date': [
    "not re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}', field(fields, 'new_date'))",
    "not field(fields, 'new_date')",
  ],
  'SWAP-1 swapProduct.replaces-an-item: does not swap the product': ["found[0]['product'] = new['id']", 'pass'],
  'SUBSCRIPTION-1 getSubscription.returns-a-subscription: returns numbers as item ids': [
    "id=entry['id'], quantity",
    'id=7, quantity',
  ],
  'SUBSCRIPTION-4 getSubscription.returns-a-subscription: returns the same id for all items': [
    "id=entry['id'], quantity",
    "id='line', quantity",
  ],
  'SUBSCRIPTION-3 getSubscription.returns-the-tax-rate-as-a-decimal: returns the tax rate as a percentage': [
    'customer_tax_rate=0.08',
    'customer_tax_rate=8',
  ],
  'SUBSCRIPTION-2 getSubscription.returns-404-without-a-subscription: returns 200 for a customer without a subscription':
    [
      "    if not boxes(fields): raise Rejected(404, 'no_subscription')\n",
      "    if not boxes(fields): return box('2030-01-01')\n",
    ],
  'PRODUCTS-4 listProducts.recommends-products-outside-the-subscription: returns the same products to every customer': [
    'if id not in owned]',
    ']',
  ],
  'BODY-1 bodies.preserve-split-characters: does not support chunked bodies': ["!= 'chunked'", "!= 'x'"],
  'STATE-3 stress.loses-no-change: changes without a lock': [
    "same['quantity'] += quantity",
    "before = same['quantity']; LOCK.release(); __import__('time').sleep(0.01); LOCK.acquire(); same['quantity'] = before + quantity",
  ],
}

it.each(Object.entries(defects))('detects %s', { timeout: 60_000 }, async (name, [from, to]) => {
  expect(source.split(from)).toHaveLength(2)
  const [, requirement = '', check = ''] = /^(\S+) (\S+): /.exec(name) ?? []
  const correct = await failuresOf(source, check)
  expect(correct).not.toContain(requirement)
  const changed = source.replace(from, () => to)
  expect(await failuresOf(changed, check)).toContain(requirement)
})

async function failuresOf(text: string, check: string): Promise<readonly RequirementId[]> {
  const run = runChecks({ ...(await startShop(text)), mode: 'stress', only: [check] })
  const { results } = await collectReport(run)
  expect(results.map(({ reason }) => reason)).toEqual([undefined])
  return results.flatMap(({ failure }) => failure?.requirement ?? [])
}

async function startShop(text: string): Promise<RunOptions> {
  const shop = spawn('python3', ['-c', text, keys.first], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    shop.kill()
    if (shop.exitCode === null) await once(shop, 'exit')
  })
  const [port]: unknown[] = await once(shop.stdout, 'data')
  const url = `http://127.0.0.1:${String(port).trim()}`
  const headers = { 'X-Integration-API-Key': keys.first }
  const reset = async () => {
    await (await fetch(`${url}/reset`, { method: 'POST', headers, body: '{}' })).text()
  }
  const options = { send: sendByHttp(url), apiKey: keys.first, profile, reset, timeoutMs: 5000 }
  return { ...options, offered: await offeredBy(options) }
}
