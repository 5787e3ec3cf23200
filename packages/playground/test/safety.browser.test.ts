import type { EndpointName } from '@storeport/core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Exchange } from '../src/protocol.ts'
import { describeInBrowser, findAxe, focusedName } from './describe-in-browser.ts'
import { apiKey, cookieName, token } from './start-shop.ts'

describeInBrowser('a double click', (open) => {
  it('sends Send Now once', async () => {
    const { page, email, shop, toast } = await open({ integration: { retries: false } })
    await email.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('button', { name: 'Yes, ship it now' }).dblclick({ delay: 0 })
    await toast.getByText(/^Your box is on its way\./).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('[data-endpoint=sendNow]').count()).toBe(1)
    expect(shop.store.orders('subscription@example.com')).toHaveLength(1)
  })
})

describeInBrowser('an unavailable playground server', (open) => {
  it('is reported until available again, while the page content remains', async () => {
    const { page, email, wire, complaints, toast } = await open()
    await page.getByRole('button', { name: 'TEST10' }).click()
    await toast.getByText('TEST10 is applied').waitFor()
    await page.context().setOffline(true)
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    const banner = page.getByText('The playground server is not responding. Start it again')
    await banner.waitFor()
    expect(await toast.innerText()).toBe('')
    const colors = `['.bar-notice', 'article [role=alert]'].map((place) => getComputedStyle(document.querySelector(place)).backgroundColor)`
    const [bannerColor, alertColor]: readonly string[] = await page.evaluate(colors)
    expect(bannerColor).toBe(alertColor)
    expect(await email.getByRole('alert').textContent()).toBe('The shop is not responding. Please try again.')
    await wire.getByRole('button', { name: /add-product no response/ }).click()
    await wire.getByText('It is unknown whether the request reached the shop').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('..')
    await email.getByText('House Espresso, 500 g').first().waitFor()

    await page.getByRole('button', { name: 'New on the shelf' }).click()
    await email.getByRole('button', { name: 'Try again' }).waitFor()
    await page.context().setOffline(false)
    await email.getByRole('button', { name: 'Try again' }).click()
    await email.getByRole('button', { name: /^Add .*House Espresso, 500 g/ }).waitFor()
    expect(await page.getByText('Start it again').count()).toBe(0)
    expect(complaints.splice(0).every((text) => text.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true)
  })

  it('is reported when the page loads', async () => {
    const { page, complaints } = await open()
    await page.route('**/playground/config', (route) => route.abort())
    await page.reload()
    await page.getByRole('heading', { name: 'The playground cannot start' }).waitFor()
    await page.unroute('**/playground/config')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('article').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
  })
})

describeInBrowser('the page', (open) => {
  it('copies a curl command without the API key', async () => {
    const { page, email, wire } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await wire.getByRole('button', { name: /add-product 200/ }).click()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await wire.getByRole('button', { name: 'Copy as curl' }).click()
    await wire.getByRole('button', { name: 'Copied' }).waitFor()
    const copied: string = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain('-H "X-Integration-API-Key: $STOREPORT_API_KEY"')
    expect(copied + (await page.content())).not.toContain(apiKey)
  })

  it("displays the shop's strings as text, never as markup", async () => {
    const title = '<img src=x onerror="document.title=1"><b>Bold</b>'
    const { page, email } = await open({
      store: (store) => ({
        ...store,
        listProducts: async () => ({
          products: [{ id: 'a', title, price: 1, images: [], description: '<script>document.title=2</script>' }],
        }),
      }),
    })
    await email.getByRole('heading', { name: title }).waitFor()
    await email.getByText('<script>document.title=2</script>').waitFor()
    expect(await email.locator('b').count()).toBe(0)
    expect(await page.title()).toBe('Playground · StorePort')
  })
})

/** Replaces the responses of an endpoint until the returned function is called. */
async function replaceResponse(
  page: Page,
  endpoint: EndpointName,
  respond: (exchange: Exchange) => Exchange | Promise<Exchange>,
): Promise<() => Promise<void>> {
  const url = '**/playground/call'
  await page.route(url, async (route) => {
    if (route.request().postDataJSON().endpoint !== endpoint) return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ json: await respond(await response.json()) }).catch(() => {})
  })
  return () => page.unroute(url)
}

const returnHtml = (exchange: Exchange): Exchange => ({
  ...exchange,
  response: { status: 200, headers: [], body: '<!doctype html><title>Welcome</title>' },
})

describeInBrowser('the page of a faulty shop', (open) => {
  it('shows the rest of the email after an invalid response, and offers a retry', async () => {
    const { page, email, wire } = await open()
    const stop = await replaceResponse(page, 'getSubscription', returnHtml)
    await page.reload()
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByText('This part cannot be shown.').waitFor()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await findAxe(page)).toEqual([])
    await wire.getByRole('button', { name: /customer-portal\/subscription/ }).click()
    await wire.getByText('it is not a JSON object with success and data or error').first().waitFor()
    await stop()
    await portal.getByRole('button', { name: 'Try again' }).press('Enter')
    await portal.getByText('Tuesday, 24 March').waitFor()
    expect(await focusedName(page)).toBe('Your subscription')
  })

  it('shows that a response is late, and lets the user stop waiting', async () => {
    const { page, email } = await open()
    await page.clock.install()
    const stop = await replaceResponse(page, 'getSubscription', () => new Promise(() => {}))
    await page.reload()
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByRole('status', { name: 'Loading' }).waitFor()
    await page.clock.runFor(4100)
    await portal.getByText('Still waiting for the shop…').waitFor()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    await portal.getByRole('button', { name: 'Stop waiting' }).press('Enter')
    await portal.getByText('The shop has not responded').waitFor()
    await stop()
    await portal.getByRole('button', { name: 'Try again' }).press('Enter')
    await portal.getByText('Tuesday, 24 March').waitFor()
  })

  it('shows that a click is pending, and later shows the result', async () => {
    const { page, email, toast } = await open()
    await page.clock.install()
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await replaceResponse(page, 'sendNow', (exchange) => released.then(() => exchange))
    await email.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('button', { name: 'Yes, ship it now' }).click()
    await email.getByRole('button', { name: 'Send Now' }).waitFor()
    await page.clock.runFor(4100)
    await page.getByRole('dialog').getByText('Your click has no response yet.').waitFor()
    release()
    await toast.getByText(/^Your box is on its way\./).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describeInBrowser('the token', (open) => {
  it('signs in all tabs of one browser, but no other browser', async () => {
    const { page, shop, complaints } = await open()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ name: cookieName, httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(await page.evaluate('document.cookie')).toBe('')
    const tab = await page.context().newPage()
    await tab.goto(shop.url)
    await tab.getByRole('article').waitFor()

    await page.context().clearCookies()
    const response = await tab.goto(shop.url)
    expect(response?.status()).toBe(403)
    await tab.getByRole('heading', { name: 'This playground requires a token' }).waitFor()
    // A page that is already open reports why its requests are rejected.
    await page.getByRole('button', { name: 'New on the shelf' }).click()
    await page.getByRole('alert').filter({ hasText: 'You are signed out.' }).waitFor()
    expect(complaints.splice(0).every((text) => text.includes('403'))).toBe(true)
  })

  it.each([
    ['a token', (_url: string) => token],
    ['a URL with the token', (url: string) => `${url}/?token=${token}#as=another@example.com`],
  ])('signs in again if the user enters %s, and preserves the view', async (_, createInput) => {
    const { page, email, shop, complaints } = await open()
    await page.getByRole('radio', { name: /another@/ }).check()
    await email.getByText('Tuesday, 17 March').first().waitFor()
    const url = page.url()
    await page.context().clearCookies()
    await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').nth(1).click()
    const field = page.getByLabel('URL with the token, or only the token')
    await field.fill('a-token-of-somebody-else')
    await field.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Not signed in: ' }).waitFor()
    await field.fill(createInput(shop.url))
    await field.press('Enter')
    await page.locator('.toast').filter({ hasText: 'Signed in again.' }).waitFor()
    expect(await field.count()).toBe(0)
    await email.getByRole('button', { name: /^Add / }).first().waitFor()
    expect(page.url()).toBe(`${url}&email=shelf`)
    expect(await page.content()).not.toContain(token)
    expect(complaints.splice(0).every((text) => text.includes('403'))).toBe(true)
  })
})
