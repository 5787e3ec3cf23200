import { join } from 'node:path'
import { readSettings, startHost } from '@storeport/host'
import { dataFolder } from '@storeport/testing/start-host-process'
import Libsql from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { describeInBrowser, type Open, type OpenPlayground } from './describe-in-browser.ts'

/** Opens the page of a host over a new SQLite file, whose rows can be counted. */
async function openHost(open: Open, env: Record<string, string> = {}) {
  const playground = await open()
  const folder = await dataFolder()
  const settings = readSettings([], {
    PORT: '0',
    STOREPORT_DATA: folder,
    STOREPORT_TODAY: '2026-03-10',
    STOREPORT_LOG: 'silent',
    ...env,
  })
  const host = await startHost(settings, { pageFolder: playground.pageFolder, closeTimeoutMs: 20 })
  onTestFinished(() => host.close())
  await playground.page.goto(host.playgroundUrl ?? '')
  await playground.email.getByText('Tuesday, 24 March').first().waitFor()
  const countOrders = () => {
    const database = new Libsql(join(folder, 'store.db'), { readonly: true })
    try {
      return database.prepare('select id from orders').all().length
    } finally {
      database.close()
    }
  }
  return { ...playground, countOrders }
}

async function sendNow({ page, email }: OpenPlayground): Promise<void> {
  await email.getByRole('button', { name: 'Send Now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, ship it now' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describeInBrowser('the host over SQLite', (open) => {
  it.each(['Twice at once', 'Again, answer lost'])('makes one order row of a click: %s', async (how) => {
    const host = await openHost(open)
    const { wire } = host
    expect(host.countOrders()).toBe(0)
    await wire.getByRole('radio', { name: how }).check()
    await sendNow(host)
    const call = wire.locator('[data-endpoint=sendNow]')
    expect(await call.locator('.status').allInnerTexts()).toEqual(['200', '200'])
    expect(host.countOrders()).toBe(1)
    await wire.getByRole('tab', { name: 'The shop' }).click()
    await wire.getByText('The last click, which arrived twice: 1 new order.').waitFor()
    expect(await wire.locator('[data-order]').count()).toBe(1)
  })

  it('refuses the second of two clicks where none is remembered, which the page says', async () => {
    const host = await openHost(open, { STOREPORT_RETRIES: 'off' })
    const { wire } = host
    await wire.getByRole('radio', { name: 'Twice at once' }).check()
    await sendNow(host)
    const call = wire.locator('[data-endpoint=sendNow]')
    expect((await call.locator('.status').allInnerTexts()).toSorted()).toEqual(['200', '400'])
    await call.getByRole('button').first().click()
    await call.getByText('One of the two worked, the other was refused.').waitFor()
    expect(host.countOrders()).toBe(1)
  })

  it('is skipped to the next billing, and reset', async () => {
    const { page, email, toast, countOrders } = await openHost(open)
    const date = page.locator('.date-button')
    await date.click()
    await page.getByRole('button', { name: /^The next billing/ }).click()
    await toast.getByText('It is Tuesday, 24 March. 2 orders were billed.').waitFor()
    expect(countOrders()).toBe(2)
    await page.reload()
    await date.filter({ hasText: '24 March' }).waitFor()
    await date.click()
    await page.getByRole('button', { name: 'Reset the test shop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, reset it' }).click()
    await toast.getByText('Everything is as it was at first.').waitFor()
    expect(countOrders()).toBe(0)
    await date.filter({ hasText: '10 March' }).waitFor()
    await email.getByText('Tuesday, 24 March').first().waitFor()
  })
})
