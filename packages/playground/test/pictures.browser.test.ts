import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { comparePictures } from './compare-pictures.ts'
import { describeInBrowser, type OpenPlayground } from './describe-in-browser.ts'
import { goToPanel } from './go-to-panel.ts'

/** Checked by a person when they were taken; `STOREPORT_PICTURES=take` takes them again. */
const folder = new URL('pictures/', import.meta.url)

/** What the pictures show, each in a few sizes and both schemes. */
const views: Readonly<Record<string, { widths: readonly number[]; show(playground: OpenPlayground): Promise<void> }>> =
  {
    email: { widths: [380, 768, 1440], show: async () => {} },
    shelf: {
      widths: [380, 1440],
      async show({ page, email }) {
        await goToPanel(page, 'Inbox')
        await page.getByRole('button', { name: 'New on the shelf' }).click()
        await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
        await goToPanel(page, 'Inbox')
        await page.getByRole('button', { name: 'TEST20' }).click()
        await email.getByText('You save $3.99').waitFor()
        await email.getByRole('button', { name: /^Add .*House Espresso, 500 g/ }).scrollIntoViewIfNeeded()
      },
    },
    delay: {
      widths: [380, 1440],
      async show({ page, email }) {
        await email.getByRole('button', { name: 'Delay Subscription' }).click()
        await page.getByRole('dialog').getByRole('button', { name: '1 month' }).click()
      },
    },
    sent: {
      widths: [380, 1440],
      async show({ page, email, toast }) {
        await email.getByRole('button', { name: 'Send Now' }).click()
        await page.getByRole('button', { name: 'Yes, ship it now' }).click()
        await toast.getByText(/^Your box is on its way\./).waitFor()
      },
    },
    swap: {
      widths: [380, 1440],
      async show({ page, email }) {
        await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).click()
        await page
          .getByRole('dialog')
          .getByRole('radio', { name: /Hand Grinder/ })
          .check()
      },
    },
    comeback: {
      widths: [380, 768, 1440],
      async show({ page, email }) {
        await goToPanel(page, 'Inbox')
        await page.getByRole('radio', { name: /cancelled@/ }).check()
        await goToPanel(page, 'Inbox')
        await page.getByRole('button', { name: 'We kept your place' }).click()
        await email.getByRole('button', { name: 'Start again: Every month' }).waitFor()
      },
    },
    stranger: {
      widths: [380, 1440],
      async show({ page, email }) {
        await goToPanel(page, 'Inbox')
        await page.getByRole('radio', { name: /nobody/ }).check()
        if (await email.isHidden()) await page.getByRole('button', { name: 'Your next box' }).click()
        await email.getByRole('heading', { name: 'We have not met yet', level: 3 }).waitFor()
      },
    },
    refused: {
      widths: [380, 1440],
      async show({ page, email, wire }) {
        await goToPanel(page, 'Inbox')
        await page.getByRole('button', { name: 'EXPIRED5' }).click()
        await email.getByRole('alert').waitFor()
        await page.locator('.to-wire').dispatchEvent('click')
        await wire.getByRole('button', { name: /get-discount 404/ }).click()
      },
    },
  }

for (const colorScheme of ['light', 'dark'] as const) {
  describeInBrowser(`looks as it looked, ${colorScheme}`, (open) => {
    for (const [name, { widths, show }] of Object.entries(views)) {
      it.each(widths)(`${name} at %i pixels`, async (width) => {
        const height = width < 600 ? 800 : 1000
        const playground = await open({}, { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' })
        const { page, email } = playground
        await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
        await page.waitForLoadState('networkidle')
        await show(playground)
        await page.waitForLoadState('networkidle')
        await page.evaluate('document.fonts.ready')
        // How long calls took is different every time.
        const times = page.locator('.call-time')
        await times.evaluateAll((elements) => elements.forEach((time) => Reflect.set(time, 'textContent', '5.0 ms')))
        // Whatever is under the mouse looks different.
        await page.mouse.move(0, 0)
        const picture = await page.screenshot({
          type: 'jpeg',
          quality: 80,
          caret: 'hide',
        })

        const file = new URL(`${name}-${width}-${colorScheme}.jpg`, folder)
        if (process.env['STOREPORT_PICTURES'] === 'take') {
          await mkdir(folder, { recursive: true })
          await writeFile(file, picture)
        }
        expect(existsSync(file), 'the picture to compare with').toBe(true)
        const browser = page.context().browser()
        if (browser === null) throw new Error('the page has no browser')
        const { mean, share } = await comparePictures(browser, picture, await readFile(file))
        expect(mean, 'mean difference').toBeLessThan(3)
        expect(share, 'share of places that differ').toBeLessThan(0.02)
      })
    }
  })
}
