import { shopAt } from '@storeport/testing/shop-at'
import { openSqlStore } from '@storeport/store-sql'
import { dataFolder } from '@storeport/testing/start-host-process'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { historyCommand } from '../src/history/history-command.ts'
import { replayCommand } from '../src/history/replay-command.ts'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { key } from './open-host.ts'
import { runSql } from './run-sql.ts'

const email = 'test@example.com'
/** The seed contains this product, which is sold out. */
const soldOut = { email, product_id: 'test_00000' }
const yes = async () => true
/** A key with quotes, which the header encodes. */
const quoted = String.raw`"a\b"`

/** Starts a host with a SQLite database, and sends a click that fails because the product is sold out. */
async function openShop(idempotencyKey?: string) {
  const data = await dataFolder()
  const env = { PORT: '0', STOREPORT_DATA: data, STOREPORT_API_KEYS: key, STOREPORT_LOG: 'silent' }
  const host = await startHost(readSettings(['--playground', 'off'], env))
  onTestFinished(() => host.close())
  const shop = shopAt(host.url, key)
  const store = await openSqlStore({ url: `sqlite:${join(data, 'store.db')}` })
  onTestFinished(() => store.close())
  const restock = () =>
    store.database.transaction((db) =>
      db.updateTable('products').set({ available: 1 }).where('id', '=', soldOut.product_id).execute(),
    )
  const countOrders = async () => (await store.orders(email)).length
  const requestId = 'failed'
  const named = idempotencyKey === undefined ? {} : { idempotencyKey: JSON.stringify(idempotencyKey) }
  await expect(shop.addProduct(soldOut, { 'X-Request-Id': requestId, ...named })).rejects.toThrow()
  // Stores the waiting records.
  await host.close()
  /** Moves the failed record to a later time, as if its host had another clock. */
  const postpone = (seconds: number) =>
    runSql(data, `update click_history set id = id + ${seconds * 1000 * 2 ** 21} where failure = '${requestId}'`)
  return { env, restock, countOrders, requestId, postpone, data }
}

/** Runs a command; returns the printed text, or the error message. */
async function printed(command: () => Promise<void>): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const problem = await command().then(
    () => '',
    (error: Error) => error.message,
  )
  const text = [...log.mock.calls.flat(), problem].join('\n').trim()
  log.mockRestore()
  return text
}

it.each([undefined, quoted])('runs a rejected click with the key %s once, after its cause is gone', async (name) => {
  const { env, restock, countOrders, requestId } = await openShop(name)
  const replay = (...args: string[]) => printed(() => replayCommand([requestId, ...args], env, yes))
  expect(await replay()).toContain('failed again: 400 product_unavailable')
  await restock()
  const plan = await printed(() => replayCommand([requestId], env, async () => false))
  expect(plan).toMatch(/Add 1 × test_00000 → rejected: 400 product_unavailable\. .*\nCustomer: test@example\.com/)
  expect(plan).toContain('so it changed nothing.\nNothing was changed')
  expect(await replay('--yes')).toMatch(/Done: added$/)
  expect(await replay('--yes')).toMatch(/^replay: the click has succeeded with request \S+\. Nothing was changed\.$/)
  expect(await countOrders()).toBe(1)
  expect(await printed(() => historyCommand([email], env))).toContain(`, replay of request ${requestId} → added`)
})

it('does not run a click that the customer has repeated with success', async () => {
  const { env, restock, requestId } = await openShop()
  await restock()
  const host = await startHost(readSettings(['--playground', 'off'], env))
  await shopAt(host.url, key).addProduct({ ...soldOut, email: email.toUpperCase() })
  await host.close()
  expect(await printed(() => replayCommand([requestId, '--yes'], env))).toContain('the click has succeeded')
})

it('checks again after the confirmation, because the click may have succeeded in the meantime', async () => {
  const { env, restock, requestId } = await openShop()
  await restock()
  const replay = (...args: Parameters<typeof replayCommand>) => printed(() => replayCommand(...args))
  let other = ''
  const text = await replay([requestId], env, async () => {
    other = await replay([requestId, '--yes'], env)
    return true
  })
  expect(other).toMatch(/Done: added$/)
  expect(text).toContain('the click has succeeded')
})

it('runs a click again that the customer had undone before', async () => {
  const { env, restock, data } = await openShop()
  await restock()
  const host = await startHost(readSettings(['--playground', 'off'], env))
  const shop = shopAt(host.url, key)
  await shop.addProduct(soldOut)
  await shop.undoAddProduct(soldOut)
  await runSql(data, `update products set available = 0 where id = '${soldOut.product_id}'`)
  await expect(shop.addProduct(soldOut, { 'X-Request-Id': 'third' })).rejects.toThrow()
  await host.close()
  await restock()
  const text = await printed(() => replayCommand(['third', '--yes'], env))
  expect(text).toContain('The same request succeeded before: ')
  expect(text).toMatch(/Done: added$/)
})

it('deletes no old records, because the hosts may store them longer', async () => {
  const { env, restock, requestId, data } = await openShop()
  await runSql(
    data,
    `insert into click_history (id, customer, facts, key_id, sealed) select 1, customer, facts, key_id, sealed from click_history`,
  )
  await restock()
  expect(await printed(() => replayCommand([requestId, '--yes'], env))).toMatch(/Done: added$/)
  for (let turn = 0; turn < 2; turn++) expect(await printed(() => historyCommand([email], env))).toContain('1970-01-01')
})

it.each([
  [5, 'the click has succeeded'],
  [30, 'The same request succeeded before: '],
])('notices a success on a host whose clock is %s s behind', async (seconds, message) => {
  const { env, restock, requestId, postpone } = await openShop()
  await restock()
  await printed(() => replayCommand([requestId, '--yes'], env))
  await postpone(seconds)
  expect(await printed(() => replayCommand([requestId], env, async () => false))).toContain(message)
})

it.each<[string, string[], Record<string, string>, string]>([
  ['without a terminal', [], {}, 'not an interactive terminal. To skip the question, use --yes.'],
  ['of a request id that is unknown', ['unknown'], {}, 'no failed request with this id'],
  ['with another history key', ['--yes'], { STOREPORT_HISTORY_KEY: 'n'.repeat(32) }, 'has another key'],
  ['with another vendor', ['--yes'], { STOREPORT_VENDOR: 'other' }, 'belongs to /integration, not to /other'],
  ['without the click protocol', ['--yes'], { STOREPORT_RETRIES: 'off' }, 'requires STOREPORT_RETRIES=on'],
  ['with a store in memory', ['--yes'], { STOREPORT_STORE: 'memory' }, 'must be a database, not memory'],
  ['with two request ids', ['a', 'b'], {}, 'run storeport replay REQUEST_ID'],
  ['with an unknown option', ['--yess'], {}, '--yess'],
])('rejects a replay %s', async (_, args, changes, message) => {
  const { env, requestId, restock, countOrders } = await openShop()
  await restock()
  const words = args.some((word) => !word.startsWith('-')) ? args : [requestId, ...args]
  expect(await printed(() => replayCommand(words, { ...env, ...changes }))).toContain(message)
  expect(await countOrders()).toBe(0)
})

it('rejects a success, a read, an invalid request and a reused request id', async () => {
  const { env, restock } = await openShop()
  await restock()
  const host = await startHost(readSettings(['--playground', 'off'], env))
  const post = (id: string, path: string, body?: object) =>
    fetch(`${host.url}/integration${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-integration-api-key': key, 'content-type': 'application/json', 'x-request-id': id },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  await post('success', '/upsells/add-product', soldOut)
  await post('read', `/customer-portal/subscription?email=${email}`)
  await post('invalid', '/upsells/add-product', { email, quantity: -1 })
  for (const product_id of ['none', 'other']) await post('reused', '/upsells/add-product', { email, product_id })
  await host.close()
  const messages = ['success', 'read', 'invalid', 'reused'].map((id) =>
    printed(() => replayCommand([id, '--yes'], env)),
  )
  expect(await Promise.all(messages)).toEqual([
    expect.stringContaining('A click that succeeded is not replayed.'),
    expect.stringContaining('only a change can run again. The request was getSubscription.'),
    expect.stringContaining('the request was invalid'),
    expect.stringContaining('several clicks have this request id'),
  ])
})
