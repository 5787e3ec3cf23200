import { expect, it } from 'vitest'
import { describeInBrowser, windowSizes } from './describe-in-browser.ts'
import { token } from './start-shop.ts'

describeInBrowser('the URL of the page', (open) => {
  it('follows the keyboard, and a back or forward navigation', async () => {
    const { page, shop, email, inspector } = await open()
    const mail = (name: string) => email.getByRole('heading', { level: 2, name }).waitFor()
    await page.getByRole('button', { name: 'New on the shelf' }).press('Enter')
    await mail('New on the shelf this month')
    await page.getByRole('radio', { name: /subscription@/ }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: /cancelled@/ }).isChecked()).toBe(true)
    await inspector.getByRole('radio', { name: 'Requests' }).focus()
    await page.keyboard.press('ArrowLeft')
    await inspector.getByRole('switch', { name: 'Offer listProducts' }).waitFor()
    await page.goBack()
    expect(await page.getByRole('radio', { name: /subscription@/ }).isChecked()).toBe(true)
    await page.goBack()
    await mail('Your next box is nearly packed')
    expect(page.url()).toBe(`${shop.url}/`)
    await page.goForward()
    await mail('New on the shelf this month')
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

describeInBrowser('the top bar', (open) => {
  it.each(['light', 'dark'] as const)('switches the colors of a %s system, and back', async (colorScheme) => {
    const { page } = await open({}, { colorScheme })
    const color = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    const colors = ['rgb(243, 242, 239)', 'rgb(17, 19, 18)']
    const [first, second] = colorScheme === 'light' ? colors : colors.toReversed()
    for (const expected of [first, second, first]) {
      expect(await color()).toBe(expected)
      await page.getByRole('button', { name: 'Dark mode' }).click()
    }
  })

  it('is hidden by a dialog, whose main button comes first if the buttons do not fit in a row', async () => {
    const { page, email } = await open({}, { viewport: windowSizes[0] })
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Choose a date').fill('2027-12-28')
    const move = await dialog.getByRole('button', { name: 'Move to 28 December 2027' }).boundingBox()
    const cancel = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox()
    expect(move?.y).toBeLessThan(cancel?.y ?? 0)
  })
})

describeInBrowser('the page at startup', (open) => {
  it('shows why the endpoints were not discovered, with a retry', async () => {
    let problem = 'The URL returns an HTML page'
    const offered = async () => {
      if (problem !== '') throw new Error(problem)
      return ['getSubscription'] as const
    }
    const { page, shop } = await open({ playground: { offered } })
    await page.getByRole('heading', { name: 'Could not discover the shop’s endpoints' }).waitFor()
    const text = await page.getByRole('main').innerText()
    for (const part of [`${shop.url}/integration`, problem]) expect(text).toContain(part)
    problem = ''
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('article').waitFor()
  })

  it('shows that the shop is slow to respond', async () => {
    const { page } = await open({ playground: { offered: () => new Promise(() => {}) } })
    await page.getByText(/Discovering the shop’s endpoints/).waitFor()
  })

  it('reports that the playground server is down, with a retry', async () => {
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

describeInBrowser('the token', (open) => {
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
