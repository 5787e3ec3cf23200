import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, focusedName } from './describe-in-browser.ts'
import type { ShopOptions } from './start-shop.ts'

const still = { reducedMotion: 'reduce' } as const
const phone = { ...still, viewport: { width: 390, height: 844 } }

/** Whether no other element covers the center of an element. */
async function isUncovered(page: Page, place: Locator): Promise<boolean> {
  const box = await place.boundingBox()
  if (box === null) return false
  const middle = `${box.x + box.width / 2}, ${box.y + box.height / 2}`
  const hit = await page.evaluateHandle(`document.elementFromPoint(${middle})`)
  return place.evaluate(
    (element, hitElement) => Reflect.apply(Reflect.get(element, 'contains'), element, [hitElement]),
    hit,
  )
}

describeInBrowser('feedback after an action', (open) => {
  it.each([phone, { ...still, viewport: { width: 1440, height: 900 } }])(
    'is displayed in a row that covers no button ($viewport.width px)',
    async (window) => {
      const { page, email, toast } = await open({}, window)
      expect(await toast.innerText()).toBe('')
      await email.getByRole('button', { name: 'Send Now' }).click()
      await page.getByRole('button', { name: 'Yes, ship it now' }).click()
      await toast.getByText(/^Your box is on its way\./).waitFor()
      const row = await page.locator('.toast').boundingBox()
      const panels = await page.getByRole('main').boundingBox()
      expect(panels && panels.y + panels.height).toBe(row?.y)
      const last = email.getByRole('button').last()
      await last.scrollIntoViewIfNeeded()
      expect(await isUncovered(page, last)).toBe(true)
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await expect.poll(() => toast.innerText()).toBe('')
      expect((await page.locator('.toast').boundingBox())?.height).toBe(0)
    },
  )

  it('is dismissed by Escape or its button, and preserves the focus', async () => {
    const { page, email, toast } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).press('Enter')
    await toast.getByText('Hand Grinder was added to your order.').waitFor()
    await expect.poll(() => focusedName(page)).toBe('Undo adding Hand Grinder')
    // The changed item is highlighted, but the focus stays on the product card.
    expect(await email.locator('[data-changed]').innerText()).toMatch(/^Hand Grinder/)
    await page.keyboard.press('Escape')
    await expect.poll(() => toast.innerText()).toBe('')
    expect(await focusedName(page)).toBe('Undo adding Hand Grinder')
    await page.keyboard.press('Enter')
    await toast.getByText('Hand Grinder was removed.').waitFor()
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    await expect.poll(() => focusedName(page)).toMatch(/^Add/)
    await dismiss.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => focusedName(page)).toMatch(/^Add/)
  })

  it('disappears after a few seconds, but not while it is hovered or focused', async () => {
    const { page, email, toast } = await open()
    await page.clock.install()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await toast.getByText('Hand Grinder').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).focus()
    await page.clock.runFor(20_000)
    expect(await toast.innerText()).toMatch(/Hand Grinder/)
    await email.getByRole('button', { name: /^Undo/ }).focus()
    await page.clock.runFor(10_000)
    expect(await toast.innerText()).toBe('')
  })

  it('highlights the new billing date after the subscription is delayed', async () => {
    const { page, email } = await open({}, phone)
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '1 week' }).click()
    await page.getByRole('button', { name: 'Move to 31 March' }).click()
    const changed = email.locator('[data-changed]')
    await changed.first().waitFor()
    expect(await changed.allInnerTexts()).toEqual(['Tuesday, 31 March'])
    expect(await isUncovered(page, changed)).toBe(true)
    await expect.poll(() => focusedName(page)).toBe('Delay Subscription')
  })

  it('highlights and focuses the new item after a swap', async () => {
    const { page, email, toast } = await open({}, phone)
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Hand Grinder/ }).press('Space')
    await dialog.getByRole('button', { name: 'Swap' }).press('Enter')
    await toast.getByText('Swapped: Hand Grinder is in your box now.').waitFor()
    const changed = email.locator('[data-changed]')
    await expect.poll(() => changed.count()).toBe(1)
    expect(await changed.innerText()).toMatch(/^Hand Grinder/)
    await expect.poll(() => isUncovered(page, changed)).toBe(true)
    await expect.poll(() => focusedName(page)).toMatch(/^Hand Grinder/)
  })
})

describeInBrowser('the swap dialog', (open) => {
  it("shows each product's price and price difference", async () => {
    const { page, email } = await open()
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Current: 2 × $19.95, $39.90 per box.').waitFor()
    const choices = await dialog.locator('fieldset label').allInnerTexts()
    expect(choices.map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['Single Origin Ethiopia, 500 g', '2 × $29.95', '$59.90', '+$20.00 per box'],
      ['Hand Grinder', '2 × $49.95', '$99.90', '+$60.00 per box'],
    ])
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).click()
    await dialog.getByText('−$10.00 per box').waitFor()
  })

  /** Returns the options of a shop that lists only the products for which `isListed` is true. */
  const listingOnly = (isListed: (id: string) => boolean): ShopOptions => ({
    store: (store) => ({
      ...store,
      listProducts: async (input, context) => {
        const { products } = await store.listProducts(input, context)
        return { products: products.filter(({ id }) => isListed(id)) }
      },
    }),
  })

  it('preselects the only available product', async () => {
    const { page, email, toast } = await open(listingOnly((id) => id !== 'test_54321'))
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Single Origin/, checked: true }).waitFor()
    await dialog.getByRole('button', { name: 'Swap' }).click()
    await toast.getByText('Swapped: Single Origin Ethiopia, 500 g is in your box now.').waitFor()
  })

  it('is unavailable if the shop lists no other product', async () => {
    const { email } = await open(listingOnly((id) => id === 'test_12345'))
    await email.getByRole('heading', { name: 'House Espresso, 500 g', level: 4 }).waitFor()
    await expect.poll(() => email.getByRole('button', { name: /^Swap/ }).count()).toBe(1)
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).waitFor()
  })
})
