import { endpointNames } from '@storeport/core'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { collectComplaints, findAxe, noBrowser, openBrowser, overflowOf, windowSizes } from './describe-in-browser.ts'

/** The API reference, which the host serves next to the playground. */
describe.skipIf(noBrowser)('the docs page', () => {
  let browser: Browser
  let host: Awaited<ReturnType<typeof startHostProcess>>
  beforeAll(async () => {
    const env = { STOREPORT_DATA: await dataFolder(), STOREPORT_STORE: 'memory', STOREPORT_LOG: 'silent' }
    ;[browser, host] = await Promise.all([openBrowser(), startHostProcess(env)])
  })
  afterAll(async () => {
    await browser.close()
    host.child.kill('SIGKILL')
  })

  async function open(colorScheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ colorScheme })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(`${host.url}/docs`)
    await page.getByText('Postpone the next billing and shipment.').first().waitFor()
    return { page, complaints, requested }
  }

  it.each(['light', 'dark'] as const)(
    'has no errors, violations and overflow in the %s color scheme, and loads only files from the host',
    async (colorScheme) => {
      const { page, complaints, requested } = await open(colorScheme)
      const origins = new Set(requested.map((url) => new URL(url).origin))
      expect([complaints, [...origins]]).toEqual([[], [host.url]])
      const background = String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
      expect(background).toBe(colorScheme === 'light' ? 'rgb(243, 242, 239)' : 'rgb(17, 19, 18)')
      for (const viewport of windowSizes) {
        await page.setViewportSize(viewport)
        expect([await overflowOf(page), await findAxe(page)]).toEqual([0, []])
      }
    },
  )

  it('lists the endpoints, each with its fields, a curl command, a response and its errors', async () => {
    const { page } = await open()
    expect(await page.getByRole('link', { name: 'Playground' }).getAttribute('href')).toBe('/')
    const links = await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link').allTextContents()
    expect(links).toHaveLength(endpointNames.length + 1)
    const text = await page.getByRole('region', { name: 'getSubscription' }).innerText()
    const curl = `curl "${host.url}/integration/customer-portal/subscription?email=subscription@example.com"`
    for (const part of ['items[].quantity', curl, '"next_billing_date": "', 'subscription_not_found'])
      expect(text).toContain(part)
    expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toMatch(/^"Page Sans"/)
    expect(await page.evaluate(`document.fonts.check('1rem "Page Serif"')`)).toBe(true)
  })

  it('sends a change with the key of the playground, after a confirmation and a sign-in', async () => {
    const { page, requested } = await open()
    const form = page.locator('form[data-endpoint=sendNow]')
    const send = async (answer: string) => {
      await form.getByRole('button', { name: 'Send' }).click()
      expect(await findAxe(page)).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: answer }).click()
    }
    await send('Yes, send it')
    await form.getByText('Open the playground').waitFor()
    await page.getByLabel('API key').fill('not-the-key-of-the-host')
    await send('Yes, send it')
    await form.getByText('"code":"unauthorized"').waitFor()
    await page.goto(`${host.url}/${/\?token=[\w-]+/.exec(host.output.stdout)?.[0]}`)
    await page.goto(`${host.url}/docs`)
    requested.splice(0)
    await send('Cancel')
    expect(requested).toEqual([])
    await send('Yes, send it')
    await form.getByText('{"success":true}').waitFor()
  })
})
