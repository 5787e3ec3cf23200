import { readFile, writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, goToPanel, type OpenPlayground } from './describe-in-browser.ts'

/** Folder of the reference images, which a person reviews; `STOREPORT_IMAGES=take` updates the images. */
const folder = new URL('images/', import.meta.url)

/** Views to capture, in turn as a dark phone image and as a light laptop image. */
const views: Readonly<Record<string, (playground: OpenPlayground) => Promise<void>>> = {
  email: async () => {},
  async shelf({ page, email }) {
    await goToPanel(page, 'Inbox')
    await page.getByRole('button', { name: 'New on the shelf' }).click()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    await goToPanel(page, 'Inbox')
    await page.getByRole('button', { name: 'TEST20' }).click()
    await email.getByText('You save $3.99').waitFor()
    await email.getByRole('button', { name: /^Add .*House Espresso, 500 g/ }).scrollIntoViewIfNeeded()
  },
  async delay({ page, email }) {
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: '1 month' }).check()
  },
  async swap({ page, email }) {
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).click()
    const choice = page.getByRole('dialog').getByRole('radio', { name: /Hand Grinder/ })
    await choice.check()
  },
  async comeback({ page, email }) {
    await goToPanel(page, 'Inbox')
    await page.getByRole('radio', { name: /cancelled@/ }).check()
    await goToPanel(page, 'Inbox')
    await page.getByRole('button', { name: 'We saved your spot' }).click()
    await email.getByRole('button', { name: 'Start again: Every month' }).waitFor()
  },
  async refused({ page, email, wire }) {
    await goToPanel(page, 'Inbox')
    await page.getByRole('button', { name: 'EXPIRED5' }).click()
    await email.getByRole('alert').waitFor()
    await goToPanel(page, 'Inspector')
    await wire.getByRole('button', { name: /get-discount 404/ }).click()
  },
}

const images = Object.keys(views).map((name, index) =>
  index % 2 === 1
    ? { name, colorScheme: 'dark' as const, width: 380, height: 800 }
    : { name, colorScheme: 'light' as const, width: 1440, height: 1000 },
)

describeInBrowser('the page', (open) => {
  it.each(images)(
    'matches the reference image $name ($width px, $colorScheme)',
    async ({ name, colorScheme, width, height }) => {
      const playground = await open({}, { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' })
      const { page, email } = playground
      await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
      await page.waitForLoadState('networkidle')
      await views[name]?.(playground)
      await page.waitForLoadState('networkidle')
      await page.evaluate('document.fonts.ready')
      // Replaces durations and times, which differ in each run.
      const times = page.locator('.call-time')
      await times.evaluateAll((elements) => elements.forEach((time) => Reflect.set(time, 'textContent', '5.0 ms')))
      const clocks = page.locator('.call-at')
      await clocks.evaluateAll((elements) => elements.forEach((time) => Reflect.set(time, 'textContent', '12:00:00')))
      // Moves the mouse away, because hover changes styles.
      await page.mouse.move(0, 0)
      const image = await page.screenshot({ type: 'jpeg', quality: 80, caret: 'hide' })

      const file = new URL(`${name}-${width}-${colorScheme}.jpg`, folder)
      if (process.env['STOREPORT_IMAGES'] === 'take') {
        await writeFile(file, image)
      }
      const browser = page.context().browser()
      if (browser === null) throw new Error('The page has no browser.')
      const share = await compareImages(browser, image, await readFile(file))
      expect(share, 'share of blocks that differ').toBeLessThan(0.02)
    },
  )
})

/**
 * Returns the share of blocks of 8 × 8 pixels that differ clearly, or 1 for images of different sizes. This block size
 * ignores font rendering and edges, but detects a missing, moved or recolored element.
 */
async function compareImages(browser: Browser, one: Buffer, other: Buffer): Promise<number> {
  const page = await browser.newPage()
  try {
    return await page.evaluate(`(async (sources) => {
      const images = sources.map((src) => Object.assign(new Image(), { src }))
      await Promise.all(images.map((image) => image.decode()))
      const [first, second] = images
      if (first.width !== second.width || first.height !== second.height) return 1
      const size = [Math.ceil(first.width / 8), Math.ceil(first.height / 8)]
      const context = new OffscreenCanvas(...size).getContext('2d')
      context.imageSmoothingQuality = 'high'
      context.drawImage(first, 0, 0, ...size)
      context.globalCompositeOperation = 'difference'
      context.drawImage(second, 0, 0, ...size)
      const { data } = context.getImageData(0, 0, ...size)
      const blocks = Array.from({ length: size[0] * size[1] }, (_, block) => data.slice(block * 4, block * 4 + 3))
      return blocks.filter((apart) => Math.max(...apart) > 24).length / blocks.length
    })(${JSON.stringify([one, other].map(toDataUrl))})`)
  } finally {
    await page.close()
  }
}

function toDataUrl(image: Buffer): string {
  return `data:image/jpeg;base64,${image.toString('base64')}`
}
