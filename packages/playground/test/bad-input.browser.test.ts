import type { EndpointName } from '@storeport/core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Exchange } from '../src/protocol.ts'
import { describeInBrowser, findAxe, focusedName } from './describe-in-browser.ts'

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
