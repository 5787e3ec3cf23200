import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlStore } from '@storeport/store-sql'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, vi } from 'vitest'
import { historyCommand, readTime } from '../src/history/history-command.ts'
import { eraseCommand, exportCommand } from '../src/history/privacy-commands.ts'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { enterPlayground } from './enter-playground.ts'
import { openHostWithStore } from './open-host.ts'
import { send } from '@storeport/testing/send'

const email = 'subscription@example.com'

/** Starts a host with a SQLite database, by default. */
async function openShop(env: Record<string, string> = {}) {
  const host = await openHostWithStore(env)
  const { variables, data } = host
  const post = (path: string, body: object) => send(host.url, `/integration/${path}`, { body: { email, ...body } })
  return { host, variables, data, post, sendNow: () => post('customer-portal/send-now', {}) }
}

/** Runs a command and returns the printed text. */
async function printed(command: () => Promise<void>): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await command()
    return log.mock.calls.flat().join('\n')
  } finally {
    log.mockRestore()
  }
}

it('shows the clicks of a customer in the playground, and after the host was closed', async () => {
  const { host, variables, post, sendNow } = await openShop()
  await sendNow()
  await sendNow()
  await post('upsells/add-product', { product_id: 'test_54321', discount_code: 'EXPIRED5' })
  await post('upsells/add-product', { product_id: 'test_54321', quantity: 0 })
  const page = await enterPlayground(host)
  expect(await (await page.post('/playground/history', { email })).json()).toMatchObject([
    { asked: 'Send now', result: 'order created', failed: false },
    { asked: 'Send now, the same click again', result: 'no second change', failed: false },
    {
      asked: 'Add 1 × Hand Grinder, code EXPIRED5',
      result: expect.stringMatching(/^rejected: 400 invalid_discount_code\. /),
      failed: true,
    },
    { asked: 'Add a product', result: expect.stringContaining('400 invalid_request'), failed: true },
  ])
  expect(await (await page.get('/playground/config')).json()).toMatchObject({ history: true })
  await host.close()
  const paused = await startHost(readSettings(['--paused', 'sendNow'], variables))
  await (await enterPlayground(paused)).post('/playground/call', { endpoint: 'sendNow', input: { email } })
  await paused.close()

  const history = (...args: string[]) => printed(() => historyCommand(args, variables))
  const lines = (await history(email.toUpperCase(), '--since', '1h')).split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Send now → order created$/)
  expect(lines[2]).toMatch(/code EXPIRED5 → rejected: 400 invalid_discount_code\. .* \(request [\w-]+\)$/)
  expect(lines[4]).toContain('failed: 503 store_unavailable. The endpoint was paused, or ')
  expect((await history(email, '--failed')).split('\n')).toEqual(lines.slice(2))
  expect(JSON.parse(await history(email, '--json'))).toMatchObject([{ operation: 'sendNow', email }, {}, {}, {}, {}])
  expect(await history('unknown@example.com')).toBe('No recorded clicks.')
})

it('shows the clicks of a host with a store in memory only in the playground', async () => {
  const { host, variables, sendNow } = await openShop({ STOREPORT_STORE: 'memory' })
  await sendNow()
  const page = await enterPlayground(host)
  expect(await (await page.post('/playground/history', { email })).json()).toMatchObject([{ asked: 'Send now' }])
  await expect(historyCommand([email], variables)).rejects.toThrow('must be a database')
})

it('exports and erases all data about a customer', async () => {
  const { host, variables, data, sendNow } = await openShop()
  await sendNow()
  await host.close()
  const store = await openSqlStore({ url: `sqlite:${join(data, 'store.db')}` })
  onTestFinished(() => store.close())
  const exported = JSON.parse(await printed(() => exportCommand([email], variables)))
  expect(exported).toMatchObject({ email, customers: [{ email }], orders: [{}], click_records: [{ status: 200 }] })

  /** Erases the customer. During the wait, a running host writes one more record. */
  const erase = (args: readonly string[], answer?: boolean) =>
    printed(() =>
      eraseCommand(
        [email, ...args],
        variables,
        async () => answer,
        async (ms) => {
          expect(ms).toBe(6000)
          expect(await store.clickRecords()).toEqual([])
          await Promise.all([store.recordClick(exported.click_records[0]), store.clickRecords()])
        },
      ),
    )
  await expect(erase(['--yes'])).rejects.toThrow('open order. Call markOrder')
  await expect(erase(['--force'])).rejects.toThrow('use --yes')
  expect(await erase(['--force'], false)).toMatch(/Subscriptions: 2\. Orders: 1\.\nNothing was changed$/)
  expect(await erase(['--force'], true)).toMatch(/Erased the customer; the orders remain\nErased 2 records of clicks$/)
  expect(await erase(['--yes'])).toMatch(/no customer with this email\nErased 1 records of clicks$/)
  await expect(exportCommand([email], variables)).rejects.toThrow('no data about this customer')
})

it.each([
  [[], 'run storeport history EMAIL'],
  [['--failed'], 'run storeport history EMAIL'],
  [['x'], 'must be an email address'],
  [[email, 'y'], 'run storeport history EMAIL'],
  [[email, '--sinc', '1h'], 'Did you mean --since?'],
  [[email, '--data', import.meta.filename], `${import.meta.filename} is a file`],
  [[email, '--store', 'sqlite:missing.db'], 'SQLite file not found'],
])('rejects the arguments %j', async (args, message) => {
  await expect(historyCommand(args, {})).rejects.toThrow(message)
})

it.each([
  ['history', historyCommand],
  ['export', exportCommand],
  ['erase', eraseCommand],
] as const)('storeport %s fails in a folder without a database, and creates nothing', async (_, command) => {
  const data = join(await dataFolder(), 'elsewhere')
  const outcome = command([email], { STOREPORT_DATA: data })
  await expect(outcome).rejects.toThrow(`SQLite file not found: ${join(data, 'store.db')}`)
  await expect(stat(data)).rejects.toThrow()
})

it('reads --since as a date in the time zone of the shop, or as a duration', () => {
  expect(readTime('2026-03-01', 'America/New_York').toISOString()).toBe('2026-03-01T05:00:00.000Z')
  expect(Date.now() - readTime('1h', 'UTC').getTime()).toBeGreaterThanOrEqual(3_600_000)
  for (const text of ['soon', '2026-02-30x', '1w'])
    expect(() => readTime(text, 'UTC')).toThrow('--since: must be a duration')
})
