import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@storeport/client'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, vi } from 'vitest'
import { historyCommand } from '../src/history/history-command.ts'
import { eraseCommand, exportCommand } from '../src/history/privacy-commands.ts'
import { readHistoryQuery } from '../src/history/read-query.ts'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { enterPlayground } from './enter-playground.ts'
import { key } from './open-host.ts'
import { runSql } from './run-sql.ts'

const email = 'subscription@example.com'

/** Starts a host with a SQLite database, and sends the clicks of one customer. */
async function openShop(env: Record<string, string> = {}) {
  const data = await dataFolder()
  const variables = { PORT: '0', STOREPORT_DATA: data, STOREPORT_API_KEYS: key, STOREPORT_LOG: 'silent', ...env }
  const host = await startHost(readSettings([], variables))
  onTestFinished(() => host.close())
  const shop = createClient({ baseUrl: host.url, apiKey: key })
  const ask = async (path: string, token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const response = await fetch(host.url + path, { headers })
    return { status: response.status, json: JSON.parse(await response.text()) }
  }
  return { host, shop, data, variables, ask, token: async () => (await readFile(join(data, 'token'), 'utf8')).trim() }
}

/** Runs a command, by default `storeport history`, and returns the printed text. */
async function printed(
  args: readonly string[],
  variables: Record<string, string>,
  command = historyCommand,
): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await command(args, variables)
    return log.mock.calls.flat().join('\n')
  } finally {
    log.mockRestore()
  }
}

/** Runs `storeport history`, and returns its notices. */
async function noticed(...args: Parameters<typeof historyCommand>): Promise<string> {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  await historyCommand(...args)
  const text = error.mock.calls.flat().join('\n')
  error.mockRestore()
  return text
}

it('answers the questions of a support desk', async () => {
  const { shop, host, variables, data, ask, token } = await openShop()
  await shop.sendNow({ email })
  await shop.sendNow({ email })
  await expect(shop.addProduct({ email, product_id: 'test_54321', discount_code: 'EXPIRED5' })).rejects.toThrow()
  await expect(shop.addProduct({ email, product_id: 'test_54321', quantity: 0 })).rejects.toThrow()
  await expect(shop.getSubscription({ email: 'nobody@example.com' })).rejects.toThrow()
  const page = await enterPlayground(host)
  const lines = [
    { asked: 'Send now', result: 'order created', failed: false },
    { asked: 'Send now, the same click again', result: 'answered from memory, no second change', failed: false },
    {
      asked: 'Add 1 × test_54321, code EXPIRED5',
      result: expect.stringContaining('400 invalid_discount_code'),
      failed: true,
    },
    { asked: 'Add a product', result: expect.stringContaining('400 invalid_request'), failed: true },
  ]
  expect(await (await page.post('/playground/history', { email })).json()).toMatchObject(lines)
  expect(await (await page.get('/playground/config')).json()).toMatchObject({ history: true })
  expect((await ask('/admin/history?failed=true&since=1h', await token())).json.records).toHaveLength(3)

  const timeline = await printed([email, '--since', '1h'], variables)
  expect(timeline).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Send now → order 1 created\n/)
  expect(timeline).toContain('code EXPIRED5 → rejected: 400 invalid_discount_code.')
  expect(timeline).toMatch(
    /Orders\n\S+ {2}order 1 \(subscription\), processing: [\d.]+ USD, with a discount of 5\.00 USD\n {12}2 × House Espresso, 500 g\n/,
  )
  const causes = await printed(['--failed', '--since', '1h'], variables)
  expect(causes).toContain('1 × getSubscription rejected: 404 customer_not_found')
  expect(JSON.parse(await printed([email, '--json'], variables)).records).toHaveLength(4)
  expect(await printed(['nobody.at.all@example.com'], variables)).toContain('No recorded clicks')
  expect((await stat(join(data, 'history-key'))).mode & 0o777).toBe(0o600)
})

it('GET /admin/history creates the token without a playground, and responds while the database is unavailable', async () => {
  const { data, host, ask, token } = await openShop({ STOREPORT_PLAYGROUND: 'off' })
  expect((await ask('/admin/history')).status).toBe(403)
  expect((await ask('/admin/history', await token())).status).toBe(200)
  await runSql(data, 'drop table click_history')
  expect((await ask('/admin/history', await token())).status).toBe(500)
  await host.close()
})

it.each([
  ['without a token', '/admin/history', 'none', 403],
  ['with the API key', '/admin/history', 'key', 403],
  ['with an invalid time', '/admin/history?since=soon', 'token', 400],
  ['with an invalid email', '/admin/history?email=x', 'token', 400],
  ['with the token', '/admin/history?limit=5', 'token', 200],
])('GET /admin/history %s returns %s', async (_, path, kind, status) => {
  const { ask, token } = await openShop()
  const sent = kind === 'none' ? undefined : kind === 'key' ? key : ''
  const first = await ask(path, sent === '' ? 'not-the-token' : sent)
  if (kind !== 'token') return expect(first.status).toBe(status)
  expect((await ask(path, await token())).status).toBe(status)
})

it('reads records of an earlier key after a rotation, and counts the records of a lost key', async () => {
  const { shop, variables, data, host } = await openShop({ STOREPORT_PLAYGROUND: 'off' })
  await shop.sendNow({ email })
  await host.close()
  const file = join(data, 'history-key')
  const created = await readFile(file, 'utf8')
  await writeFile(file, `${'n'.repeat(32)}\n${created}`)
  expect(await printed([email], variables)).toContain('Send now → order 1 created')
  await writeFile(file, 'n'.repeat(32))
  expect(await noticed([email], variables)).toContain('1 records were written with another key')
  await writeFile(file, 'short')
  await expect(historyCommand([email], variables)).rejects.toThrow('at least 32 characters')
})

it('records nothing with STOREPORT_HISTORY=off, and in memory without a key file', async () => {
  const off = await openShop({ STOREPORT_HISTORY: 'off', STOREPORT_STORE: 'memory' })
  await (await enterPlayground(off.host)).post('/playground/history', { email })
  expect((await off.ask('/admin/history', await off.token())).status).toBe(404)
  const memory = await openShop({ STOREPORT_STORE: 'memory' })
  await memory.shop.sendNow({ email })
  await enterPlayground(memory.host)
  expect((await memory.ask('/admin/history', await memory.token())).json.records).toHaveLength(1)
  await expect(stat(join(memory.data, 'history-key'))).rejects.toThrow()
  await expect(historyCommand([email], memory.variables)).rejects.toThrow('must be a database')
})

it('exports and erases all data about a customer', async () => {
  const { shop, variables, ask, token } = await openShop()
  // A host stores the waiting records before it reads its history.
  const flush = async () => expect((await ask('/admin/history', await token())).status).toBe(200)
  await shop.sendNow({ email })
  await flush()
  await expect(printed([email, '--yes'], variables, eraseCommand)).rejects.toThrow('open order')
  await expect(printed([email, '--force'], variables, eraseCommand)).rejects.toThrow('use --yes')
  const refuse = (args: readonly string[], env: Parameters<typeof eraseCommand>[1]) =>
    eraseCommand(args, env, async () => false)
  const plan = `Customer: ${email}\nSubscriptions: 2. Orders: 1. Records of the history: 1.`
  expect(await printed([email, '--force'], variables, refuse)).toBe(`${plan}\nNothing was changed`)
  const data = JSON.parse(await printed([email], variables, exportCommand))
  expect(data).toMatchObject({ email, customers: [{ email }], orders: [{}], history: [{ operation: 'sendNow' }] })
  const erased = 'Erased the customer; the orders remain\nErased 1 records of the history'
  expect(await printed([email, '--force', '--yes'], variables, eraseCommand)).toBe(`${plan}\n${erased}`)
  await expect(shop.sendNow({ email })).rejects.toMatchObject({ code: 'customer_not_found' })
  // The rejected click is a new record.
  await flush()
  expect(await printed([email, '--yes'], variables, eraseCommand)).toContain(
    'no customer with this email\nErased 1 records',
  )
  const none = 'The shop has no customer with this email\nErased 0 records of the history'
  expect(await printed([email], variables, eraseCommand)).toBe(none)
  await expect(printed([email], variables, exportCommand)).rejects.toThrow('no data about this customer')
})

it('does not report success if records of another key could not be searched', async () => {
  const { shop, variables, host, data } = await openShop({ STOREPORT_PLAYGROUND: 'off' })
  await shop.sendNow({ email })
  await host.close()
  const lost = { ...variables, STOREPORT_HISTORY_KEY: 'n'.repeat(32) }
  await expect(printed([email], lost, exportCommand)).rejects.toThrow('1 records of other keys')
  // A command without the key changes nothing, and does not create another key.
  const elsewhere = {
    ...variables,
    STOREPORT_DATA: await dataFolder(),
    STOREPORT_STORE: `sqlite:${join(data, 'store.db')}`,
  }
  await expect(printed([email, '--force', '--yes'], elsewhere, eraseCommand)).rejects.toThrow(
    'set STOREPORT_HISTORY_KEY',
  )
  expect(JSON.parse(await printed([email], variables, exportCommand))).toMatchObject({ orders: [{}] })
  await expect(stat(join(elsewhere.STOREPORT_DATA, 'history-key'))).rejects.toThrow()
  await expect(printed([email, '--force', '--yes'], lost, eraseCommand)).rejects.toThrow('1 records of other keys')
})

it.each([
  [[], 'run storeport history EMAIL'],
  [[email, '--failed'], 'run storeport history EMAIL'],
  [['x'], 'must be an email address'],
  [[email, 'y'], 'too many arguments'],
  [[email, '--sinc', '1h'], '--since'],
  [[email, '--since', 'soon'], '--since: must be a duration'],
])('rejects the arguments %j', async (args, message) => {
  await expect(historyCommand(args, {})).rejects.toThrow(message)
})

it.each([
  ['history', email, historyCommand],
  ['export', email, exportCommand],
  ['erase', email, eraseCommand],
] as const)('storeport %s fails in a folder without a database, and creates nothing', async (_, word, command) => {
  const data = join(await dataFolder(), 'elsewhere')
  const outcome = command([word], { STOREPORT_DATA: data })
  await expect(outcome).rejects.toThrow(`SQLite file not found: ${join(data, 'store.db')}`)
  await expect(stat(data)).rejects.toThrow()
})

it('counts records of another version, and confirms their erasure', async () => {
  const { shop, variables, host, data } = await openShop({ STOREPORT_PLAYGROUND: 'off' })
  await shop.sendNow({ email })
  await host.close()
  await runSql(data, `update click_history set facts = '{"v":99}'`)
  await runSql(data, `update customers set email = 'other@example.com' where email = '${email}'`)
  expect(await noticed([email], variables)).toContain('1 records could not be read')
  await expect(printed([email], variables, exportCommand)).rejects.toThrow('1 records of the history could not be read')
  await expect(printed([email], variables, eraseCommand)).rejects.toThrow('use --yes')
})

it('a command rejects a database without tables', async () => {
  const file = join(await dataFolder(), 'empty.db')
  await writeFile(file, '')
  const outcome = historyCommand([email], { STOREPORT_STORE: `sqlite:${file}` })
  await expect(outcome).rejects.toThrow('contains no tables of StorePort')
})

it.each([
  ['2026-03-01', '2026-03-01T05:00:00Z'],
  ['2026-03-10 14:02:11', '2026-03-10T18:02:11Z'],
  ['2026-03-10T14:02:11Z', '2026-03-10T14:02:11Z'],
])('reads --since %s in the time zone of the shop', (since, at) => {
  expect(readHistoryQuery({ since }, 'America/New_York').since).toBe(Date.parse(at))
})

it('rejects invalid settings', () => {
  expect(() => readSettings(['--history-key', 'short'], {})).toThrow('STOREPORT_HISTORY_KEY')
  expect(() => readSettings(['--history-days', '0'], {})).toThrow('STOREPORT_HISTORY_DAYS')
})
