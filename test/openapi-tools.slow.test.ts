import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { collectReport, runChecks, sendByHttp } from '@storeport/conformance'
import { createIntegration, endpointNames } from '@storeport/core'
import { serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { findFreePort } from '@storeport/testing/find-free-port'
import { installTool } from '@storeport/testing/install-tool'
import { runLine, startLine, userEnvironment } from '@storeport/testing/run-as-user'
import { keys } from '@storeport/testing/keys'
import { expect, it, onTestFinished } from 'vitest'

const document = resolve(import.meta.dirname, '../docs/openapi.json')
const bin = async (name: string) =>
  join(dirname((await installTool('openapi')).resolve('openapi-typescript/package.json')), '../.bin', name)

const client = `
import createClient from 'openapi-fetch'
import type { paths } from './generated.ts'

const [baseUrl = '', key = ''] = process.argv.slice(2)
const api = createClient<paths>({ baseUrl, headers: { 'X-Integration-API-Key': key } })

const email = 'subscription@example.com'
const products = await api.GET('/integration/upsells/products', { params: { query: { email } } })
const product = products.data?.data.products.at(-1)
const added = await api.POST('/integration/upsells/add-product', { body: { email, product_id: product?.id ?? '', quantity: 2 } })
const current = await api.GET('/integration/customer-portal/subscription', { params: { query: { email } } })
const rejected = await api.POST('/integration/upsells/undo-add-product', { body: { email, product_id: 'no-such-product' } })
const code: string | undefined = rejected.error?.error.code
console.log(JSON.stringify([added.data?.success, current.data?.data.items.length, code]))
`

it('compiles and runs a client with generated types', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder()
  const generate = `${await bin('openapi-typescript')} ${document} -o generated.ts`
  expect(await runLine(folder, generate, process.env)).toMatchObject({ code: 0 })
  await writeFile(join(folder, 'client.ts'), client)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const types = `--lib es2022,dom --types node --typeRoots ${resolve(import.meta.dirname, '../node_modules/@types')}`
  const options = `--strict --module nodenext --target es2022 --skipLibCheck --rewriteRelativeImportExtensions ${types}`
  const compiled = await runLine(folder, `${await bin('tsc')} ${options} client.ts`, process.env)
  expect(compiled).toEqual({ code: 0, text: '' })
  const { text } = await runLine(folder, `node client.js ${await startShop()} ${keys.first}`, process.env)
  expect(JSON.parse(text)).toEqual([true, 3, 'product_not_in_order'])
})

/** Ids of the checks that send a valid request to each endpoint, and of their prerequisite checks. */
const checkIds = [
  'listProducts.returns-products',
  'listCancelledSubscriptions.returns-subscriptions',
  'getDiscount.returns-a-discount',
  'getSubscription.returns-a-subscription',
  'runCustomAction.runs-a-known-action',
  'addProduct.adds-a-new-product',
  'undoAddProduct.restores-the-subscription',
  'swapProduct.replaces-an-item',
  'delaySubscription.moves-the-date',
  'reactivateSubscription.activates-the-subscription',
  'sendNow.bills-again-after-the-interval',
  'addProduct.subtracts-a-percentage',
  'swapProduct.rejects-invalid-requests',
  'errors.of-the-profile-are-returned',
]

it("passes Prism's validation of requests and responses", { timeout: 300_000 }, async () => {
  const port = await findFreePort()
  const line = `${await bin('prism')} proxy ${document} ${await startShop()} --errors --port ${port}`
  const prism = await startLine('.', line, process.env, /Prism is listening/)
  onTestFinished(async () => void (await prism.stop()))
  const send = sendByHttp(`http://127.0.0.1:${port}`)
  const { results } = await collectReport(
    runChecks({ send, apiKey: keys.first, mode: 'stress', only: checkIds, offered: endpointNames, disposable: true }),
  )
  expect(results.map(({ check }) => check.id).toSorted()).toEqual(checkIds.toSorted())
  expect(
    results.flatMap(
      ({ check, reason, failure }) => failure?.message ?? (reason === undefined ? [] : `${check.id}: ${reason}`),
    ),
  ).toEqual([])
  // Prism rejects a request that does not match the document.
  const headers = [['X-Integration-API-Key', keys.first] as const]
  const { status } = await send({ method: 'GET', target: '/integration/discounts/get-discount', headers })
  expect(status).toBe(422)
})

it('is NOT CONFORMING as a mock of Prism, which checks no key', { timeout: 300_000 }, async () => {
  const port = await findFreePort()
  const line = `${await bin('prism')} mock ${document} --port ${port}`
  const prism = await startLine('.', line, process.env, /Prism is listening/)
  // A request of the kit crashes Prism's log. The failures before the crash are sufficient.
  onTestFinished(async () => void (await prism.stop()))
  const kit = `node --import tsx packages/conformance/src/main.ts http://127.0.0.1:${port}`
  const { code, text } = await runLine('.', kit, userEnvironment({ STOREPORT_API_KEY: keys.first }))
  expect(text).toMatch(/^ {2}NOT CONFORMING {2}http/m)
  expect(text).toMatch(/^ {2}✗ 1\. .*requires-the-key/m)
  expect(code).toBe(1)
})

async function startShop(): Promise<string> {
  const integration = createIntegration({ store: createMemoryStore(), apiKeys: [keys.first] })
  const { url, close } = await serve(integration, { port: 0 })
  onTestFinished(close)
  return url
}

/** Creates a folder in which code can import the packages of the tools. */
async function temporaryFolder(): Promise<string> {
  const packages = dirname(await bin('.'))
  const folder = await mkdtemp(join(dirname(packages), '.client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
