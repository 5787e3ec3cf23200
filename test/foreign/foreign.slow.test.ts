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

const { subscribed, neighbour, empty, unknown } = seedProfile.customers
const profile = parseProfile({
  customers: { subscribed, neighbour, empty, unknown },
  recommended: seedProfile.products.listed.map(({ id }) => id),
  products: { listed: seedProfile.products.listed.map(({ id, price }) => ({ id, price })) },
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

interface Defect {
  readonly defect: string
  readonly from: string
  readonly to: string
  readonly check: string
  readonly names: RequirementId
}

const defects: readonly Defect[] = [
  {
    defect: 'lets any key in',
    from: '!= KEY: raise',
    to: 'is None: raise',
    check: 'addProduct.refuses-a-wrong-key',
    names: 'AUTH-3',
  },
  {
    defect: 'lets a key in that begins like the right one',
    from: "self.headers['X-Integration-API-Key'] != KEY",
    to: "not (self.headers['X-Integration-API-Key'] or '').startswith(KEY)",
    check: 'authentication.refuses-a-list-of-keys',
    names: 'AUTH-3',
  },
  {
    defect: 'answers a wrong key with 403',
    from: 'Refused(401,',
    to: 'Refused(403,',
    check: 'sendNow.refuses-a-call-without-a-key',
    names: 'AUTH-1',
  },
  {
    defect: 'answers errors without a message',
    from: "'message': 'That did not work.'",
    to: "'message': ''",
    check: 'answers.are-either-success-or-error',
    names: 'ERROR-1',
  },
  {
    defect: 'answers without a content type',
    from: "        self.send_header('Content-Type', 'application/json')\n",
    to: '',
    check: 'answers.are-json',
    names: 'JSON-3',
  },
  {
    defect: 'adds one unit whatever the quantity',
    from: "same['quantity'] += quantity",
    to: "same['quantity'] += 1",
    check: 'addProduct.adds-a-new-product',
    names: 'ADD-1',
  },
  {
    defect: 'takes a quantity of 0',
    from: 'quantity < 1',
    to: 'quantity < 0',
    check: 'addProduct.refuses-wrong-fields-of-a-known-customer',
    names: 'FIELD-6',
  },
  {
    defect: 'takes the text "true" for the flag',
    from: 'type(value) is not kind or',
    to: 'kind is not bool and type(value) is not kind or',
    check: 'addProduct.refuses-wrong-fields-of-a-known-customer',
    names: 'FIELD-3',
  },
  {
    defect: 'keeps what was added for the next order',
    from: "if not one['once']]",
    to: ']',
    check: 'sendNow.uses-up-one-time-lines',
    names: 'ADD-5',
  },
  {
    defect: 'takes back nothing',
    from: "    same['quantity'] -= quantity\n",
    to: '',
    check: 'undoAddProduct.restores-the-subscription',
    names: 'UNDO-1',
  },
  {
    defect: 'delays by a day too much',
    from: "['date'] = fields['new_date']",
    to: "['date'] = str(datetime.date.fromisoformat(fields['new_date']) + datetime.timedelta(1))",
    check: 'delaySubscription.moves-the-date',
    names: 'DELAY-1',
  },
  {
    defect: 'takes any text for a date',
    from: "not re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}', field(fields, 'new_date'))",
    to: "not field(fields, 'new_date')",
    check: 'delaySubscription.refuses-wrong-fields-of-a-known-customer',
    names: 'DATE-1',
  },
  {
    defect: 'swaps nothing',
    from: "found[0]['product'] = new['id']",
    to: 'pass',
    check: 'swapProduct.replaces-an-item',
    names: 'SWAP-1',
  },
  {
    defect: 'names items by a number',
    from: "id=one['id'], quantity",
    to: 'id=7, quantity',
    check: 'getSubscription.answers-with-a-subscription',
    names: 'SUBSCRIPTION-1',
  },
  {
    defect: 'gives all items one id',
    from: "id=one['id'], quantity",
    to: "id='line', quantity",
    check: 'getSubscription.answers-with-a-subscription',
    names: 'SUBSCRIPTION-4',
  },
  {
    defect: 'writes the tax rate in per cent',
    from: 'customer_tax_rate=0.08',
    to: 'customer_tax_rate=8',
    check: 'getSubscription.tells-the-tax-rate-as-a-decimal',
    names: 'SUBSCRIPTION-3',
  },
  {
    defect: 'answers 200 for a customer without a subscription',
    from: "    if not boxes(fields): raise Refused(404, 'no_subscription')\n",
    to: "    if not boxes(fields): return box('2030-01-01')\n",
    check: 'getSubscription.tells-that-there-is-none',
    names: 'SUBSCRIPTION-2',
  },
  {
    defect: 'lists the same for everybody',
    from: 'if id not in owned]',
    to: ']',
    check: 'listProducts.recommends-what-a-customer-lacks',
    names: 'PRODUCTS-4',
  },
  {
    defect: 'reads no body in chunks',
    from: "!= 'chunked'",
    to: "!= 'x'",
    check: 'bodies.keep-letters-that-are-cut-in-two',
    names: 'BODY-1',
  },
  {
    defect: 'changes without a lock',
    from: "same['quantity'] += quantity",
    to: "before = same['quantity']; LOCK.release(); __import__('time').sleep(0.01); LOCK.acquire(); same['quantity'] = before + quantity",
    check: 'stress.loses-no-change',
    names: 'STATE-3',
  },
]

it.each(defects)('a shop that $defect is told $names', { timeout: 60_000 }, async ({ from, to, check, names }) => {
  expect(source.split(from)).toHaveLength(2)
  const correct = await failuresOf(source, check)
  expect(correct).not.toContain(names)
  expect(
    await failuresOf(
      source.replace(from, () => to),
      check,
    ),
  ).toContain(names)
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
