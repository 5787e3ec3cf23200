import { expect, it } from 'vitest'
import { describeInBrowser, goToPanel, windowSizes } from './describe-in-browser.ts'
import { token } from './start-shop.ts'

const subject = 'heading' as const

describeInBrowser('the URL of the page', (open) => {
  it.each(windowSizes)('opens the same view in another tab and after a reload ($width px)', async (viewport) => {
    const { page, email, wire } = await open({ hasDemo: true }, { viewport })
    await goToPanel(page, 'Inbox')
    await page.getByRole('radio', { name: /cancelled@/ }).check()
    await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').nth(2).click()
    await email.getByRole(subject, { level: 2, name: 'We saved your spot' }).waitFor()
    await goToPanel(page, 'Inspector')
    await wire.getByRole('radio', { name: 'Endpoints' }).check()
    expect(page.url()).toMatch(/#as=cancelled@example\.com&email=comeback(?:&panel=wire)?&tab=endpoints$/)

    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await page.reload()
    for (const shown of [tab, page]) {
      await goToPanel(shown, 'Inspector')
      await shown.getByRole('switch', { name: 'Offer getSubscription' }).waitFor()
      expect(await shown.getByRole('radio', { name: /cancelled@/, includeHidden: true }).isChecked()).toBe(true)
      await goToPanel(shown, 'Email')
      await shown.getByRole('article').getByRole(subject, { level: 2, name: 'We saved your spot' }).waitFor()
    }
  })

  it('updates the view after a back or forward navigation', async () => {
    const { page, shop, email } = await open()
    const mail = (name: string) => email.getByRole(subject, { level: 2, name }).waitFor()
    await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').nth(1).click()
    await mail('New on the shelf this month')
    await page.getByRole('radio', { name: /another@/ }).check()
    await page.goBack()
    expect(await page.getByRole('radio', { name: /subscription@/ }).isChecked()).toBe(true)
    await page.goBack()
    await mail('Your next box is nearly packed')
    expect(page.url()).toBe(`${shop.url}/`)
    await page.goForward()
    await page.goForward()
    await mail('New on the shelf this month')
    expect(await page.getByRole('radio', { name: /another@/ }).isChecked()).toBe(true)
  })

  it('contains no token, and hides the email address from the server', async () => {
    const { page, shop } = await open()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(`${shop.url}/?token=${token}#as=another@example.com`)
    await page.getByRole('radio', { name: /another@/ }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(requested.length).toBeGreaterThan(3)
    expect(requested.filter((url) => url.includes('another@'))).toEqual([])
    await page.getByRole('link', { name: 'Skip to the email' }).press('Enter')
    expect(page.url()).toBe(`${shop.url}/#as=another@example.com`)
    expect(await page.evaluate('document.activeElement.id')).toBe('email')
    await page.goBack()
    expect(page.url() + (await page.content())).not.toContain(token)
  })

  it('opens the named dialog, or only the email if the dialog does not exist', async () => {
    const { page, shop, email } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await page.getByRole('dialog', { name: 'Delay your next box' }).waitFor()
    expect(page.url()).toBe(`${shop.url}/#widget=delay`)
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.getByRole('dialog', { name: 'Delay your next box' }).waitFor()
    await tab.keyboard.press('Escape')
    // The browser closes the dialog before it sends the event that updates the URL.
    await tab.waitForURL(`${shop.url}/`)
    expect(await tab.getByRole('dialog').count()).toBe(0)
    await tab.goto(`${shop.url}/#widget=swap.no-such-item`)
    await tab.reload()
    await tab.getByText('Tuesday, 24 March').first().waitFor()
    expect(await tab.getByRole('dialog').count()).toBe(0)
  })
})
