import type { EndpointName } from '@storeport/core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Exchange } from '../src/protocol.ts'
import { describeInBrowser, findAxe, focusedName } from './describe-in-browser.ts'

describeInBrowser('an unavailable playground server', (open) => {
  it('is reported until available again, while the page content remains', async () => {
    const { page, email, inspector, complaints, toast } = await open()
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
    await inspector.getByRole('button', { name: /add-product no response/ }).click()
    await inspector.getByText('It is unknown whether the request reached the shop').waitFor()
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
    const { page, email, inspector } = await open()
    const stop = await replaceResponse(page, 'getSubscription', returnHtml)
    await page.reload()
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByText('This part cannot be shown.').waitFor()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await findAxe(page)).toEqual([])
    await inspector.getByRole('button', { name: /customer-portal\/subscription/ }).click()
    await inspector.getByText('it is not a JSON object with success and data or error').first().waitFor()
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
