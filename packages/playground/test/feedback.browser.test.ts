import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, focusedName, goToPanel, windowSizes } from './describe-in-browser.ts'
import type { ShopOptions } from './start-shop.ts'

const still = { reducedMotion: 'reduce' } as const
const phone = { ...still, viewport: { width: 390, height: 844 } }

/** Whether the center of an element is not covered by another element. */
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
  it.each(windowSizes)(
    'covers no control, moves no content, and disappears at the next action ($width px)',
    async (viewport) => {
      const { page, email, toast } = await open({}, { ...still, viewport })
      const send = email.getByRole('button', { name: 'Send Now' })
      const place = await send.boundingBox()
      await send.click()
      await page.getByRole('button', { name: 'Yes, ship it now' }).click()
      await toast.getByText(/^Your box is on its way\./).waitFor()
      expect(await send.boundingBox()).toEqual(place)
      for (const control of await page.locator('button:visible, .choice:visible').all()) {
        const { y = 900 } = (await control.boundingBox()) ?? {}
        if (y < 300) expect(await isUncovered(page, control)).toBe(true)
      }
      await goToPanel(page, 'Inbox')
      await page.getByRole('radio', { name: /another@/ }).check()
      expect(await toast.innerText()).toBe('')
    },
  )

  it('fades after a few seconds, and appears again if the same message is repeated', async () => {
    const { page, email, toast } = await open()
    const repeat = async () => {
      await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).press('Enter')
      await toast.getByText('Hand Grinder was added to your order.').waitFor()
      await email.getByRole('button', { name: /^Undo .*Hand Grinder/ }).press('Enter')
      await toast.getByText('Hand Grinder was removed.').waitFor()
    }
    await repeat()
    await page.evaluate(`for (const animation of document.getAnimations()) animation.finish()`)
    expect(await page.locator('.toast').isVisible()).toBe(false)
    await repeat()
    expect(await page.locator('.toast').isVisible()).toBe(true)
  })

  it('highlights the new billing date after the subscription is delayed', async () => {
    const { page, email } = await open({}, phone)
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: '1 week' }).check()
    await page.getByRole('button', { name: 'Move to 31 March' }).click()
    const changed = email.locator('[data-changed]')
    await changed.first().waitFor()
    expect(await changed.allInnerTexts()).toEqual(['Tuesday, 31 March'])
    expect(await isUncovered(page, changed)).toBe(true)
    await expect.poll(() => focusedName(page)).toBe('Delay Subscription')
  })

  it('highlights and focuses the new item after a swap, and loads the product cards again', async () => {
    const { page, email, toast, wire } = await open({}, phone)
    const card = email.getByRole('button', { name: /^Add .*Hand Grinder/ })
    await card.waitFor()
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
    // The shop offers products that are not in the subscription.
    await card.waitFor({ state: 'detached' })
    await email.getByRole('button', { name: /^Add .*Single Origin Ethiopia/ }).waitFor()
    await goToPanel(page, 'Inspector')
    expect(await wire.locator('[data-endpoint=listProducts]').count()).toBe(3)
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
      ['Single Origin Ethiopia, 500\u00A0g', '2 × $29.95', '$59.90', '+$20.00 per box'],
      ['Hand Grinder', '2 × $49.95', '$99.90', '+$60.00 per box'],
    ])
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).click()
    await dialog.getByText('−$10.00 per box').waitFor()
  })

  it('preselects the only other product, and is unavailable if no other product exists', async () => {
    const listsOne: ShopOptions = {
      store: (store) => ({
        ...store,
        listProducts: async (input, context) => {
          const { products } = await store.listProducts(input, context)
          return { products: products.filter(({ id }) => id === 'test_67890') }
        },
      }),
    }
    const { page, email } = await open(listsOne)
    await expect.poll(() => email.getByRole('button', { name: /^Swap/ }).count()).toBe(1)
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /Single Origin/, checked: true })
      .waitFor()
  })
})
