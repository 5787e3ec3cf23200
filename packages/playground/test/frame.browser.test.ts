import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { findAxe } from './find-axe.ts'
import { goToPanel, windowSizes } from './go-to-panel.ts'
import { apiKey } from './start-shop.ts'
import { startOddShop } from './start-odd-shop.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  describeInBrowser(`axe around the email, ${colorScheme}`, (open) => {
    it.each(windowSizes)('finds nothing in menu, merchant’s side, both answers, reset, $width px', async (viewport) => {
      const { page, email, wire } = await open({ isMovable: true }, { viewport, colorScheme })
      await page.locator('.date-button').click()
      expect(await findAxe(page)).toEqual([])
      await page.keyboard.press('Escape')
      await goToPanel(page, 'Behind it')
      await wire.getByRole('radio', { name: 'Again, answer lost' }).check()
      await wire.getByRole('tab', { name: 'The shop' }).click()
      await wire.getByText('No order yet.').waitFor()
      expect(await findAxe(page)).toEqual([])
      await goToPanel(page, 'Email')
      await email.getByRole('button', { name: /^Add / }).first().click()
      await email.getByRole('button', { name: /^Undo/ }).waitFor()
      await email.getByRole('button', { name: 'Send Now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Yes, ship it now' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await goToPanel(page, 'Behind it')
      await wire.getByText('1 new order').waitFor()
      expect(await findAxe(page)).toEqual([])
      await wire.getByRole('tab', { name: 'Calls' }).click()
      await wire.locator('[data-endpoint=sendNow]').getByRole('button').first().click()
      expect(await findAxe(page)).toEqual([])
      await page.locator('.date-button').click()
      await page.getByRole('button', { name: 'Reset the test shop' }).click()
      await page.getByRole('dialog').waitFor()
      expect(await findAxe(page)).toEqual([])
    })

    it('finds nothing in the notices', async () => {
      const { page, shop, complaints } = await open({}, { colorScheme })
      await page.goto(`${shop.url}/#as=nobody`)
      await page.reload()
      await page.getByText('names a customer that is no email address').waitFor()
      await page.context().clearCookies()
      await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').nth(1).click()
      await page.getByRole('alert').filter({ hasText: 'You are signed out.' }).waitFor()
      expect(await findAxe(page)).toEqual([])
      complaints.splice(0)
    })
  })
}

describeInBrowser('the bar', (open) => {
  it('names the shop, says whose data it is, leads to the reference', async () => {
    const { page } = await open({ playground: { referencePath: '/docs' } })
    const bar = page.getByRole('banner')
    await bar.getByText('Corner Coffee', { exact: true }).first().waitFor()
    expect(await bar.locator('.product-name .status').innerText()).toBe('Test data')
    expect(await bar.locator('.bar-end > a').getAttribute('href')).toBe('./docs')
  })

  it('says the address of a real shop', async () => {
    const { page, shop } = await open({ playground: { data: 'shop', shopName: 'Somebody’s Tea' } })
    const bar = page.getByRole('banner')
    expect(await bar.locator('.product-name .shop-name').innerText()).toMatch(/Somebody’s Tea\s+127\.0\.0\.1:\d+/)
    await page.locator('.date-button').click()
    await bar.getByText(`${shop.url}/integration`).waitFor()
  })

  it.each(windowSizes)('has a menu that Tab walks through and Escape closes, $width px', async (viewport) => {
    const { page } = await open({ isMovable: true }, { viewport })
    const focused = () => page.evaluate('document.activeElement.innerText')
    await page.locator('.date-button').focus()
    await page.keyboard.press('Enter')
    for (const name of ['The day before', 'The next billing', 'One month on', 'Reset the test shop']) {
      await page.keyboard.press('Tab')
      expect(await focused()).toContain(name)
    }
    await page.keyboard.press('Escape')
    expect(await page.getByText('The shop’s date').isVisible()).toBe(false)
    expect(await focused()).toContain('10 March')
  })

  it.each(windowSizes)('holds on to its one line, with a long name too, $width px', async (viewport) => {
    const shopName = 'The Honourable Company of Coffee Roasters and Tea Merchants of the Northern Isles'
    const { page } = await open({ isMovable: true, playground: { shopName } }, { viewport })
    const height = await page.getByRole('banner').evaluate((bar) => Reflect.get(bar, 'offsetHeight'))
    expect(height).toBeLessThan(60)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  })
})

describeInBrowser('a shop', (open) => {
  it.each([
    ['that answers nonsense', 'nonsense', /no JSON object|refuses|does not|answered|answers/i],
    ['that refuses the key', 'refuses', /refuses the API key/],
  ] as const)('%s stops the start with its address and the reason', async (_, kind, reason) => {
    const odd = await startOddShop(kind)
    const { page } = await open({ playground: { target: { baseUrl: odd.url, apiKey }, offered: undefined } })
    await page.getByRole('heading', { name: 'The shop could not be asked what it offers' }).waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain(`${odd.url}/integration`)
    expect(text).toMatch(reason)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await odd.stop()
  })

  it('that hangs leaves a start that says what it waits for', async () => {
    const odd = await startOddShop('hangs')
    const { page } = await open({ playground: { target: { baseUrl: odd.url, apiKey }, offered: undefined } })
    await page.getByText('The host is asking the shop what it offers').waitFor()
    await odd.stop()
  })

  it('that has nothing at all is quiet on both sides', async () => {
    const { page, wire } = await open({
      isMovable: true,
      store: (store) => ({ ...store, listProducts: async () => ({ products: [] }) }),
    })
    await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').nth(1).click()
    await wire.getByRole('tab', { name: 'The shop' }).click()
    for (const text of ['No order yet.', 'No code was used yet.', 'No action was run yet.']) {
      await wire.getByText(text).waitFor()
    }
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
