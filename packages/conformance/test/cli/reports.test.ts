import { createMemoryStore } from '@storeport/store-memory'
import { expect, it } from 'vitest'
import { apiKey, command, endless, shopListener, startFaultyShop, startServer, startShop } from './command.ts'

/** Starts a shop that sends the same product as the only data. */
function startOwnShop() {
  const products = [{ id: 'beans', title: 'Beans', price: 9, images: ['https://shop.example/1.jpg'] }]
  return startShop({ listProducts: async () => ({ products }), getDiscount: async () => null })
}

function startShopWithoutActions() {
  const { undoAddProduct: _undo, runCustomAction: _action, ...store } = createMemoryStore()
  return startShop(store)
}

function startShopBelowPath() {
  const shop = shopListener()
  return startServer((req, res) => {
    if (req.url?.startsWith('/integration/') === true) return void res.writeHead(404).end()
    req.url = req.url?.replace(/^\/shop\/api/, '')
    shop(req, res)
  })
}

function startShopThatCloses() {
  const shop = shopListener()
  return startServer((req, res) => (/discount_code=TEST1(?:&|$)/.test(req.url ?? '') ? req.destroy() : shop(req, res)))
}

function startEndlessShop() {
  const shop = shopListener()
  return startServer((req, res) => (req.url?.includes('FIVEOFF') === true ? endless : shop)(req, res))
}

it.each<[name: string, start: () => Promise<string>, words: string, code: number]>([
  ['correct', startShop, '--only getDiscount,getSubscription', 0],
  ['below-a-path', startShopBelowPath, '--only routing.serves-every-path,getDiscount', 0],
  ['few-endpoints', startShopWithoutActions, '--only undoAddProduct,getDiscount', 0],
  ['own-data', startOwnShop, '--stress', 3],
  ['failures', startFaultyShop, '--only getDiscount,responses', 1],
  ['undone-change', startShop, '--only addProduct.adds-a-new-product', 0],
  ['warnings', startFaultyShop, '--only HEADER-3', 0],
  ['strict', startFaultyShop, '--only HEADER-3 --strict', 1],
  ['behind-caddy', startShop, '--framework caddy --only HTTP-3,HTTP-1', 2],
  ['in-php', startShop, '--framework php --only HTTP-5,HTTP-3', 0],
  ['with-fastify', startShop, '--framework fastify --only ROUTE-9', 2],
  ['test-mode', startShop, '--test-mode --only HTTP-11', 2],
  ['no-check', startShop, '--only AUTH-12', 2],
  ['closed-connection', startShopThatCloses, '--only getDiscount', 0],
  ['endless-body', startEndlessShop, '--only getDiscount', 1],
])('prints the report: %s', async (name, start, words, expected) => {
  const path = name === 'below-a-path' ? '/shop/api/' : ''
  const { code, out, err } = await command([`${await start()}${path}`, ...words.split(' ')])
  expect(out).not.toContain(apiKey)
  const text = `${err}${out}`
    // A slow machine prints more progress.
    .replaceAll(/^\d+ of \d+ checks done …\n/gm, '')
    .replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, 'YYYY-MM-DD')
    .replaceAll(/127\.0\.0\.1[:-]\d+/g, 'shop.example')
    .replaceAll(/\b[\d.]+ s\b/g, '1 s')
    .replaceAll(/\/\S*\/(?=storeport-conformance-)/g, '/tmp/')
  await expect(text).toMatchFileSnapshot(`reports/${name}.txt`)
  expect(code).toBe(expected)
})
