import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeInBrowser, type OpenPlayground } from './describe-in-browser.ts'

/** Folder of the images in `docs/tour.md`; `STOREPORT_IMAGES=take` updates the images. */
const folder = new URL('../../../docs/tour/', import.meta.url)

/** Steps of the tour, in sequence. The image is taken at the end of each step. */
const steps: Readonly<Record<string, (playground: OpenPlayground) => Promise<void>>> = {
  async 'what-it-is'({ email }) {
    await email.getByRole('button', { name: 'Send Now' }).waitFor()
  },
  async buy({ email, toast }) {
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await toast.getByText('Hand Grinder was added to your order.').waitFor()
  },
  async undo({ email, toast }) {
    await email.getByRole('button', { name: 'Undo adding Hand Grinder' }).click()
    await toast.getByText('Hand Grinder was removed.').waitFor()
  },
  async delay({ page, email }) {
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: '2 weeks' }).check()
  },
  async delayed({ page, email, toast }) {
    await page.getByRole('button', { name: 'Move to 7 April' }).click()
    await toast.getByText('Your box moves to Tuesday, 7 April.').waitFor()
    await email.getByText('in 28 days').waitFor()
  },
  async swap({ page, email }) {
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).click()
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /Hand Grinder/ })
      .check()
  },
  async swapped({ page, toast }) {
    await page.getByRole('dialog').getByRole('button', { name: 'Swap' }).click()
    await toast.getByText('Swapped: Hand Grinder is in your box now.').waitFor()
  },
  async send({ page, email }) {
    await email.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor()
  },
  async sent({ page, toast }) {
    await page.getByRole('button', { name: 'Yes, ship it now' }).click()
    await toast.getByText(/^Your box is on its way\./).waitFor()
  },
  async 'come-back'({ page, email, toast }) {
    await page.getByRole('radio', { name: /cancelled@/ }).check()
    await page.getByRole('button', { name: 'We saved your spot' }).click()
    await email.getByRole('button', { name: 'Start again: Every month' }).click()
    await toast.getByText('Every month is active again.').waitFor()
  },
  async 'skip-a-month'({ page, email }) {
    await page.getByRole('radio', { name: /subscription@/ }).check()
    await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').first().click()
    await email.getByRole('button', { name: 'Send Now' }).waitFor()
    await page.getByRole('button', { name: /^Corner Coffee, / }).click()
    await page.getByRole('button', { name: 'One month later 10 April' }).waitFor()
  },
  async 'the-orders'({ page, wire, toast }) {
    await page.getByRole('button', { name: 'One month later 10 April' }).click()
    await toast.getByText(/^The date is now Friday, 10 April\. \d+ orders? billed/).waitFor()
    await wire.getByRole('radio', { name: 'Shop', exact: true }).check()
    await wire.getByText(/^New date: \d+ new orders?/).waitFor()
  },
  async 'two-answers'({ page, email, wire }) {
    // Selects a customer without a subscription, because the purchase then immediately becomes an order.
    await page.getByRole('radio', { name: /test@/ }).check()
    await page.getByRole('button', { name: 'New on the shelf' }).click()
    await wire.getByRole('radio', { name: 'Requests', exact: true }).check()
    await wire.getByRole('radio', { name: 'Twice in parallel' }).check()
    await email.getByRole('button', { name: /^Add .*House Espresso/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    const call = wire.locator('[data-endpoint=addProduct]').first()
    await call.getByRole('button').first().click()
    await call.getByText('Both requests succeeded').waitFor()
  },
  async 'one-order'({ wire }) {
    await wire.getByRole('button', { name: 'See the effect in the shop' }).click()
    await wire.getByText('Last click (sent twice): 1 new order.').waitFor()
  },
  async reset({ page }) {
    await page.getByRole('button', { name: /^Corner Coffee, / }).click()
    await page.getByRole('button', { name: 'Reset the test shop' }).click()
    await page.getByRole('dialog').getByText('This undoes every click').waitFor()
  },
  async 'as-at-first'({ page, email, toast }) {
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, reset' }).click()
    await toast.getByText('The test shop was reset.').waitFor()
    await email.getByText('Tuesday, 24 March').first().waitFor()
  },
}

describeInBrowser('the tour', (open) => {
  it('has an image for each step', async () => {
    const customerLabels = { 'subscription@example.com': 'Subscriber', 'cancelled@example.com': 'Left two days ago' }
    const window = { reducedMotion: 'reduce', colorScheme: 'light' } as const
    const playground = await open({ isMovable: true, playground: { customerLabels } }, window)
    const { page } = playground
    // Sets the browser's clock to the shop's date, so that the images do not depend on the current date.
    await page.clock.setFixedTime('2026-03-10T12:00:00Z')
    await page.reload()
    for (const [index, [name, act]] of Object.entries(steps).entries()) {
      await act(playground)
      await page.waitForLoadState('networkidle')
      const file = new URL(`${String(index + 1).padStart(2, '0')}-${name}.jpg`, folder)
      if (process.env['STOREPORT_IMAGES'] === 'take') {
        await mkdir(folder, { recursive: true })
        await page.mouse.move(0, 0)
        await writeFile(file, await page.screenshot({ type: 'jpeg', quality: 80, caret: 'hide' }))
      }
      expect(existsSync(file), `the image of ${name}`).toBe(true)
    }
  })
})
