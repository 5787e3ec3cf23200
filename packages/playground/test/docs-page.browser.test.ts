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

  /** Opens the page; returns its errors, its failed requests and the origins of all its requests. */
  async function open(colorScheme: 'light' | 'dark') {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1024, height: 700 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const failures = collectComplaints(page)
    const origins = new Set<string>()
    page.on('response', (response) => {
      if (!response.url().startsWith('data:')) origins.add(new URL(response.url()).origin)
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`)
    })
    page.on('requestfailed', (request) => failures.push(`failed ${request.url()}`))
    await page.goto(`${host.url}/docs`)
    await page.getByText('Postpone the next billing and shipment.').first().waitFor()
    return { page, failures, origins }
  }

  it.each(['light', 'dark'] as const)(
    'renders the %s color scheme and loads only files from the host',
    async (colorScheme) => {
      const { page, failures, origins } = await open(colorScheme)
      expect([failures, [...origins]]).toEqual([[], [host.url]])
      expect(await page.getByRole('link', { name: 'Playground' }).getAttribute('href')).toBe('/')
      expect(await page.locator('header img').evaluate((icon) => Reflect.get(icon, 'naturalWidth'))).toBeGreaterThan(0)
      const background = String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
      const [red = 0] = (background.match(/\d+/g) ?? []).map(Number)
      expect(colorScheme === 'light' ? red > 229 : red < 51).toBe(true)
    },
  )

  it('lists the endpoints, each with its fields, a curl command, a response and its errors', async () => {
    const { page } = await open('light')
    const links = await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link').allTextContents()
    expect(links).toHaveLength(endpointNames.length + 1)
    await page.getByRole('link', { name: 'getSubscription' }).click()
    const section = page.getByRole('region', { name: 'getSubscription' })
    const text = await section.innerText()
    const curl = `curl "${host.url}/integration/customer-portal/subscription?email=subscription@example.com"`
    for (const part of ['items[].quantity', curl, '"next_billing_date": "', 'subscription_not_found'])
      expect(text).toContain(part)
    const family = 'getComputedStyle(document.body).fontFamily'
    expect(await page.evaluate(family)).toMatch(/^"Page Sans"/)
    expect(await page.evaluate(`document.fonts.check('1rem "Page Serif"')`)).toBe(true)
  })

  it('sends a request with an API key', async () => {
    const { page } = await open('light')
    await page.getByLabel('API key').fill('not-the-key-of-the-host')
    const form = page.locator('form[data-endpoint=getDiscount]')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('"code":"unauthorized"').waitFor()
  })

  it('sends a change with the key of the playground, after a confirmation and a sign-in', async () => {
    const { page } = await open('light')
    const form = page.locator('form[data-endpoint=sendNow]')
    const send = async (answer: string) => {
      await form.getByRole('button', { name: 'Send' }).click()
      expect(await findAxe(page)).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: answer }).click()
    }
    await send('Yes, send it')
    await form.getByText('Open the playground').waitFor()
    await page.goto(`${host.url}/${/\?token=[\w-]+/.exec(host.output.stdout)?.[0]}`)
    await page.goto(`${host.url}/docs`)
    const requested: string[] = []
    // The browser can still load the icon.
    page.on('request', (request) => request.method() === 'POST' && requested.push(request.url()))
    await send('Cancel')
    expect(requested).toEqual([])
    await send('Yes, send it')
    await form.getByText('{"success":true}').waitFor()
    expect(requested).toHaveLength(1)
  })

  it.each(windowSizes)('has no axe violations and no overflow ($width px)', async (viewport) => {
    const { page } = await open('light')
    await page.setViewportSize(viewport)
    expect([await overflowOf(page), await findAxe(page)]).toEqual([0, []])
  })
})
