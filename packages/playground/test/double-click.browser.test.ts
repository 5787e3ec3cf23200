import { join } from 'node:path'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import Libsql from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { apiKey } from './start-shop.ts'

/** Starts the host over a new SQLite file. */
async function startSqliteHost(retries: 'on' | 'off') {
  const folder = await dataFolder()
  const host = await startHostProcess({
    STOREPORT_DATA: folder,
    STOREPORT_API_KEYS: apiKey,
    STOREPORT_TODAY: '2026-03-10',
    STOREPORT_LOG: 'silent',
    ...(retries === 'off' && { STOREPORT_RETRIES: 'off' }),
  })
  onTestFinished(() => void host.child.kill('SIGKILL'))
  const countRows = (table: 'orders' | 'order_lines') => {
    const database = new Libsql(join(folder, 'store.db'), { readonly: true })
    try {
      return Number(Object.values(Object(database.prepare(`select count(*) from ${table}`).get()))[0])
    } finally {
      database.close()
    }
  }
  return { url: host.url, countRows }
}

describeInBrowser('a click that arrives twice, on SQLite', (open) => {
  it.each(['Twice at once', 'Again, answer lost'])('makes one order row: %s', async (how) => {
    const host = await startSqliteHost('on')
    const { page, email, wire } = await open({ playground: { target: { baseUrl: host.url, apiKey } } })
    expect(host.countRows('orders')).toBe(0)
    await wire.getByRole('radio', { name: how }).check()
    await email.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, ship it now' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const call = wire.locator('[data-endpoint=sendNow]')
    expect(await call.locator('.status').allInnerTexts()).toEqual(['200', '200'])
    expect([host.countRows('orders'), host.countRows('order_lines')]).toEqual([1, 2])
  })

  it('is told from one that is not remembered: the second is refused, and the row is one all the same', async () => {
    const host = await startSqliteHost('off')
    const { page, email, wire } = await open({ playground: { target: { baseUrl: host.url, apiKey } } })
    await wire.getByRole('radio', { name: 'Twice at once' }).check()
    await email.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, ship it now' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const call = wire.locator('[data-endpoint=sendNow]')
    expect((await call.locator('.status').allInnerTexts()).toSorted()).toEqual(['200', '400'])
    await call.getByRole('button').first().click()
    await call.getByText('One of the two worked, the other was refused.').waitFor()
    expect(host.countRows('orders')).toBe(1)
  })
})
