import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  collectReport,
  createReport,
  offeredBy,
  parseProfile,
  type RequirementId,
  runChecks,
  type RunOptions,
  seedProfile,
  sendByHttp,
} from '@storeport/conformance'
import { keys } from '@storeport/testing/keys'
import { expect, it, onTestFinished } from 'vitest'

/** A shop in Python, written from the contract, and what is found when a defect is put into it. */
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

it('reaches READY', { timeout: 300_000 }, async () => {
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
  expect(report.musts).toMatchObject({ failed: [], untried: [] })
  expect(report.verdict).toBe('READY')
})

/** By the check that finds it and the defect: the requirement that the report names, a part of the source, and what is put in its place. */
const defects: Readonly<Record<string, readonly [names: RequirementId, from: string, to: string]>> = {
  'addProduct.refuses-a-wrong-key: lets any key in': ['AUTH-3', '!= KEY: raise', 'is None: raise'],
  'authentication.refuses-a-list-of-keys: lets a key in that begins like the right one': [
    'AUTH-3',
    "self.headers['X-Integration-API-Key'] != KEY",
    "not (self.headers['X-Integration-API-Key'] or '').startswith(KEY)",
  ],
  'sendNow.refuses-a-call-without-a-key: answers a wrong key with 403': ['AUTH-1', 'Refused(401,', 'Refused(403,'],
  'answers.are-either-success-or-error: answers errors without a message': [
    'ERROR-1',
    "'message': 'That did not work.'",
    "'message': ''",
  ],
  'answers.are-json: answers without a content type': [
    'JSON-3',
    "        self.send_header('Content-Type', 'application/json')\n",
    '',
  ],
  'addProduct.adds-a-new-product: adds one unit whatever the quantity': [
    'ADD-1',
    "same['quantity'] += quantity",
    "same['quantity'] += 1",
  ],
  'addProduct.refuses-wrong-fields-of-a-known-customer: takes a quantity of 0': [
    'FIELD-6',
    'quantity < 1',
    'quantity < 0',
  ],
  'addProduct.refuses-wrong-fields-of-a-known-customer: takes the text "true" for the flag': [
    'FIELD-3',
    'type(value) is not kind or',
    'kind is not bool and type(value) is not kind or',
  ],
  'sendNow.uses-up-one-time-lines: keeps what was added for the next order': ['ADD-5', "if not one['once']]", ']'],
  'undoAddProduct.restores-the-subscription: takes back nothing': ['UNDO-1', "    same['quantity'] -= quantity\n", ''],
  'delaySubscription.moves-the-date: delays by a day too much': [
    'DELAY-1',
    "['date'] = fields['new_date']",
    "['date'] = str(datetime.date.fromisoformat(fields['new_date']) + datetime.timedelta(1))",
  ],
  'delaySubscription.refuses-wrong-fields-of-a-known-customer: takes any text for a date': [
    'DATE-1',
    "not re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}', field(fields, 'new_date'))",
    "not field(fields, 'new_date')",
  ],
  'swapProduct.replaces-an-item: swaps nothing': ['SWAP-1', "found[0]['product'] = new['id']", 'pass'],
  'getSubscription.answers-with-a-subscription: names items by a number': [
    'SUBSCRIPTION-1',
    "id=one['id'], quantity",
    'id=7, quantity',
  ],
  'getSubscription.answers-with-a-subscription: gives all items one id': [
    'SUBSCRIPTION-4',
    "id=one['id'], quantity",
    "id='line', quantity",
  ],
  'getSubscription.tells-the-tax-rate-as-a-decimal: writes the tax rate in per cent': [
    'SUBSCRIPTION-3',
    'customer_tax_rate=0.08',
    'customer_tax_rate=8',
  ],
  'getSubscription.tells-that-there-is-none: answers 200 for a customer without a subscription': [
    'SUBSCRIPTION-2',
    "    if not boxes(fields): raise Refused(404, 'no_subscription')\n",
    "    if not boxes(fields): return box('2030-01-01')\n",
  ],
  'listProducts.recommends-what-a-customer-lacks: lists the same for everybody': [
    'PRODUCTS-4',
    'if id not in owned]',
    ']',
  ],
  'bodies.keep-letters-that-are-cut-in-two: reads no body in chunks': ['BODY-1', "!= 'chunked'", "!= 'x'"],
  'stress.loses-no-change: changes without a lock': [
    'STATE-3',
    "same['quantity'] += quantity",
    "before = same['quantity']; LOCK.release(); __import__('time').sleep(0.01); LOCK.acquire(); same['quantity'] = before + quantity",
  ],
}

it.each(Object.entries(defects))('%s', { timeout: 60_000 }, async (name, [names, from, to]) => {
  expect(source.split(from)).toHaveLength(2)
  const [check = ''] = name.split(': ')
  const correct = await failuresOf(source, check)
  expect(correct).not.toContain(names)
  const changed = source.replace(from, () => to)
  expect(await failuresOf(changed, check)).toContain(names)
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
