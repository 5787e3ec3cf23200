import { expect, it } from 'vitest'
import { describeInBrowser, goToPanel, overflowOf, shipNow, windowSizes } from './describe-in-browser.ts'

const customer = 'subscription@example.com'
const shopButton = /^Corner Coffee, /
const [phone, , laptop] = windowSizes

describeInBrowser('the merchant’s data', (open) => {
  it.each([phone, laptop])(
    'shows one order for a click that is sent twice, until the reset ($width px)',
    async (viewport) => {
      const playground = await open({ hasDemo: true }, { viewport })
      const { page, email, inspector, shop } = playground
      await goToPanel(page, 'Inspector')
      await inspector.getByRole('radio', { name: 'Shop', exact: true }).click()
      await inspector.getByText('No orders yet.').waitFor()
      await inspector.getByRole('radio', { name: 'Twice in parallel' }).click()
      await shipNow(playground)
      await goToPanel(page, 'Inspector')
      await inspector.getByText('Last click (sent twice): 1 new order, 1 subscription changed.').waitFor()
      const orders = inspector.getByRole('region', { name: 'Orders' }).locator('[data-order]')
      expect(await orders.count()).toBe(1)
      expect(await orders.innerText()).toMatch(/New[^]*2 × House Espresso, 500\u00A0g[^]*\$39\.90[^]*Total\s+\$76\.03/)
      expect(shop.store.orders(customer)).toHaveLength(1)
      await inspector.getByRole('radio', { name: 'Requests' }).click()
      const call = inspector.locator('[data-endpoint=sendNow]')
      expect(await call.locator('.status').allInnerTexts()).toEqual(['200', '200'])
      await call.getByRole('button').first().click()
      expect(await call.locator('.one-answer').count()).toBe(2)
      await call.getByText('One response is a repeat of the other').waitFor()
      await call.getByRole('button', { name: 'See the effect in the shop' }).click()
      await inspector.getByRole('radio', { name: 'Shop', checked: true }).waitFor()
      expect(await overflowOf(page)).toBe(0)

      for (const answer of ['Cancel', 'Yes, reset']) {
        expect(shop.store.orders(customer)).toHaveLength(1)
        await page.getByRole('button', { name: shopButton }).click()
        await page.getByRole('button', { name: 'Reset the test shop' }).click()
        await page.getByRole('dialog').getByRole('button', { name: answer }).click()
      }
      await page.locator('.toast').filter({ hasText: 'The test shop was reset.' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(shop.store.orders(customer)).toEqual([])
      expect(page.url()).toBe(`${shop.url}/`)
      expect(await page.evaluate('document.activeElement.id')).toBe('email')
      await email.getByText('Tuesday, 24 March').first().waitFor()
      await goToPanel(page, 'Inspector')
      expect(await inspector.getByRole('radio', { name: 'Once', exact: true }).isChecked()).toBe(true)
      expect(await call.count()).toBe(0)
    },
  )

  it('shows new discount code uses and action runs', async () => {
    const { page, email, inspector } = await open({ hasDemo: true })
    await inspector.getByRole('radio', { name: 'Shop', exact: true }).check()
    // Waits for the initial data, because the page compares the data after a click with the previous data.
    await inspector.getByRole('region', { name: 'Discount code uses' }).waitFor()
    await page.getByRole('button', { name: 'TEST20' }).click()
    await email.getByRole('button', { name: /^Add / }).first().click()
    await inspector.getByText('Last click: 1 subscription changed, 1 code use.').waitFor()
    const marked = inspector.getByRole('region', { name: 'Subscriptions' }).locator('.marked')
    expect(await marked.innerText()).toMatch(/^subscription@example\.com\s+Changed\s+Next billing on Tuesday, 24 March/)
    await inspector.getByRole('region', { name: 'Discount code uses' }).getByText('TEST20').waitFor()
    await page.getByRole('button', { name: 'Two minutes' }).click()
    await email.getByRole('button', { name: 'Save me a seat in March' }).click()
    await inspector.getByText('Last click: 1 action run.').waitFor()
    await inspector.getByRole('region', { name: 'Action runs' }).getByText('register_webinar_march').waitFor()
  })

  it('is hidden for a real shop', async () => {
    const { page, inspector } = await open({ playground: { data: 'shop', shopName: 'Somebody’s Tea' } })
    expect(await page.locator('.product-name').innerText()).toMatch(/Somebody’s Tea\s+127\.0\.0\.1:\d+$/)
    expect(await inspector.locator('.tabs').innerText()).toMatch(/^Requests\s+Endpoints$/)
    await page.locator('.date-button').click()
    await page.getByText('Shop date').waitFor()
    expect(await page.getByRole('button', { name: /Reset/i }).count()).toBe(0)
  })

  it('has a date, which the menu shows with the real date if it differs', async () => {
    const { page } = await open({ hasDemo: true })
    await page.clock.setFixedTime('2026-03-01T12:00:00Z')
    await page.reload()
    const button = page.getByRole('button', { name: shopButton })
    await button.click()
    expect(await page.getByRole('region', { name: 'Shop date' }).innerText()).toMatch(
      /Tuesday, 10 March 2026\s+The real date is Sunday, 1 March 2026\.\s+STOREPORT_TODAY/,
    )
    expect(await button.getAttribute('class')).toContain('date-moved')
  })
})
