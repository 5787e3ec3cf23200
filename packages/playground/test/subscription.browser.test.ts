import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, focusedName, goToPanel, windowSizes } from './describe-in-browser.ts'

const customer = 'subscription@example.com'
const context = { requestId: 'test', idempotencyKey: 'test', testMode: false, signal: new AbortController().signal }
const phone = { viewport: windowSizes[0], reducedMotion: 'reduce' } as const

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = []
  while (seen.at(-1) !== name) {
    if (seen.length > 90) throw new Error(`Tab does not reach ${name}, only ${seen.join(' | ')}`)
    await page.keyboard.press('Tab')
    seen.push(await focusedName(page))
  }
}

/** Waits until exactly one element is highlighted and not covered by another element; returns its text. */
async function changedIn(page: Page, email: Locator): Promise<string> {
  const changed = email.locator('[data-changed]')
  await expect.poll(() => changed.count()).toBe(1)
  await expect.poll(() => isUncovered(page, changed)).toBe(true)
  return changed.innerText()
}

/** Whether the center of an element is not covered by another element. */
async function isUncovered(page: Page, place: Locator): Promise<boolean> {
  const box = await place.boundingBox()
  if (box === null) return false
  const middle = `${box.x + box.width / 2}, ${box.y + box.height / 2}`
  const hit = await page.evaluateHandle(`document.elementFromPoint(${middle})`)
  return place.evaluate((element, top) => Reflect.apply(Reflect.get(element, 'contains'), element, [top]), hit)
}

describeInBrowser('the subscription', (open) => {
  it('is delayed with the keyboard to a typed date, and the new date is highlighted', async () => {
    const { page, email, shop, toast } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).waitFor()
    await tabTo(page, 'Skip to the email')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Delay Subscription')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Choose a date')
    await page.keyboard.type('04122026')
    await tabTo(page, 'Move to 12 April')
    await page.keyboard.press('Enter')
    const said = 'Your box moves to Sunday, 12 April. Your other box ships first, on Thursday, 9 April.'
    await toast.getByText(said).waitFor()
    expect(shop.store.account(customer)?.subscriptions[0]).toMatchObject({ next_billing_date: '2026-04-12' })
    // The items of the other box are highlighted too.
    await email.locator('[data-changed]').getByText('Thursday, 9 April').waitFor()
    await expect.poll(() => focusedName(page)).toBe('Delay Subscription')
  })

  it('cannot be delayed to an earlier date or a date that is no longer available', async () => {
    const { page, email, shop } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delay your next box' })
    const date = dialog.getByLabel('Choose a date')
    await date.fill('2026-03-23')
    await dialog.getByRole('button', { name: 'Move' }).click()
    expect(await date.evaluate((field) => Reflect.get(Reflect.get(field, 'validity'), 'rangeUnderflow'))).toBe(true)
    expect(await page.locator('[data-endpoint=delaySubscription]').count()).toBe(0)
    await shop.store.delaySubscription({ email: customer, new_date: '2026-04-05' }, context)
    await dialog.getByRole('radio', { name: '1 week' }).check()
    await dialog.getByRole('button', { name: 'Move to 31 March' }).click()
    // The customer's other subscription is now the next to ship, and its date is later than the chosen date.
    expect(await dialog.getByRole('alert').textContent()).toMatch(/^This date is no longer available\./)
    await dialog.getByRole('radio', { name: '2 weeks' }).check()
    expect(await dialog.getByRole('alert').count()).toBe(0)
  })

  it.each(windowSizes)(
    'ships once after a confirmation and a double click, and explains a rejection ($width px)',
    async (viewport) => {
      const { page, email, shop, toast } = await open(
        { integration: { retries: false } },
        { viewport, reducedMotion: 'reduce' },
      )
      const dialog = page.getByRole('dialog', { name: 'Ship your box today?' })
      const send = email.getByRole('button', { name: 'Send Now' })
      const place = await send.boundingBox()
      await send.click()
      await dialog.getByText('$76.03').waitFor()
      await dialog.getByRole('button', { name: 'Not yet' }).click()
      expect(shop.store.orders(customer)).toEqual([])
      await send.click()
      await dialog.getByRole('button', { name: 'Yes, ship it now' }).dblclick({ delay: 0 })
      await toast.getByText(/^Your box is on its way\./).waitFor()
      await page.waitForLoadState('networkidle')
      expect(shop.store.orders(customer)).toMatchObject([{ total_minor: 7603 }])
      expect(await page.locator('[data-endpoint=sendNow]').count()).toBe(1)
      // The message moves no content and covers no control.
      expect(await send.boundingBox()).toEqual(place)
      for (const control of await page.locator('button:visible, .choice:visible').all()) {
        const { y = 900 } = (await control.boundingBox()) ?? {}
        if (y < 300) expect(await isUncovered(page, control)).toBe(true)
      }
      await send.click()
      await dialog.getByRole('button', { name: 'Yes, ship it now' }).click()
      expect(await dialog.getByRole('alert').textContent()).toMatch(/already being packed today/)
      expect(shop.store.orders(customer)).toHaveLength(1)
      await page.keyboard.press('Escape')
      await goToPanel(page, 'Inbox')
      await page.getByRole('radio', { name: /another@/ }).check()
      expect(await toast.innerText()).toBe('')
    },
  )

  it('swaps an item with a code, shows the price differences, and highlights and focuses the new item', async () => {
    const { page, email, shop, toast, inspector } = await open({}, phone)
    const card = email.getByRole('button', { name: /^Add .*Hand Grinder/ })
    await card.waitFor()
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Swap House Espresso, 500 g for…' })
    await dialog.getByText('Current: 2 × $19.95, $39.90 per box.').waitFor()
    const choices = await dialog.locator('fieldset label').allInnerTexts()
    expect(choices.map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['Single Origin Ethiopia, 500\u00A0g', '2 × $29.95', '$59.90', '+$20.00 per box'],
      ['Hand Grinder', '2 × $49.95', '$99.90', '+$60.00 per box'],
    ])
    await dialog.getByRole('button', { name: 'Swap' }).press('Enter')
    expect(await page.locator('[data-endpoint=swapProduct]').count()).toBe(0)
    await dialog.getByRole('radio', { name: /Hand Grinder/ }).press('Space')
    await dialog.getByLabel('Discount code').fill('TEST10')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByText('$89.91').waitFor()
    await dialog.getByRole('button', { name: 'Swap' }).press('Enter')
    await toast.getByText('Swapped: Hand Grinder is in your box now.').waitFor()
    expect(await changedIn(page, email)).toMatch(/^Hand Grinder/)
    await expect.poll(() => focusedName(page)).toMatch(/^Hand Grinder/)
    expect(await shop.store.getSubscription({ email: customer }, context)).toMatchObject({
      items: [{ id: 'test_54321', title: 'Hand Grinder', quantity: 2 }, {}],
      order_discount_total: 14.99,
    })
    // The shop offers products that are not in the subscription.
    await card.waitFor({ state: 'detached' })
    await goToPanel(page, 'Inspector')
    expect(await inspector.locator('[data-endpoint=listProducts]').count()).toBe(3)
  })

  it('preselects the only product for a swap, and reports that the item is no longer in the box', async () => {
    const { page, email, shop } = await open({
      store: (store) => ({
        ...store,
        listProducts: async (input, request) => {
          const { products } = await store.listProducts(input, request)
          return { products: products.filter(({ id }) => id === 'test_67890') }
        },
      }),
    })
    await expect.poll(() => email.getByRole('button', { name: /^Swap/ }).count()).toBe(1)
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Single Origin/, checked: true }).waitFor()
    // Swaps the item for the product of the other item, so that the store merges both items.
    const input = { email: customer, current_item_id: 'test_12345', new_product_id: 'test_67890' }
    await shop.store.swapProduct(input, context)
    await dialog.getByRole('button', { name: 'Swap' }).click()
    expect(await dialog.getByRole('alert').textContent()).toMatch(/no longer in your box/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await email.getByRole('heading', { level: 4 }).first().textContent()).toMatch(/^Single Origin Ethiopia/)
  })
})
