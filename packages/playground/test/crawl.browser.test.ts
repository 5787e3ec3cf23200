import { readFile, writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  describeInBrowser,
  findAxe,
  goToPanel,
  type OpenPlayground,
  overflowOf,
  shipNow,
  windowSizes,
} from './describe-in-browser.ts'

/** Changes the page from the first email to a view. */
type Visit = (playground: OpenPlayground) => Promise<void>

async function inInbox({ page }: OpenPlayground, name: RegExp | string): Promise<void> {
  await goToPanel(page, 'Inbox')
  const inbox = page.getByRole('region', { name: 'Inbox' })
  await inbox.getByRole('button', { name }).or(inbox.getByRole('radio', { name })).click()
}

async function inInspector({ page, inspector }: OpenPlayground, tab: string): Promise<void> {
  await goToPanel(page, 'Inspector')
  await inspector.getByRole('radio', { name: tab, exact: true }).check()
}

async function sendTwice(playground: OpenPlayground): Promise<void> {
  await inInspector(playground, 'Twice, as a retry')
  await shipNow(playground)
}

const views: Readonly<Record<string, Visit>> = {
  email: async () => {},
  async added({ email }) {
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
  },
  async shelf(playground) {
    await inInbox(playground, /New on the shelf/)
    await playground.email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    await inInbox(playground, 'TEST20')
    await playground.email.getByText('You save $3.99').waitFor()
    await playground.email.getByRole('button', { name: /^Add .*House Espresso, 500 g/ }).scrollIntoViewIfNeeded()
  },
  async comeback(playground) {
    await inInbox(playground, /cancelled@/)
    await inInbox(playground, /We saved your spot/)
    await playground.email.getByRole('button', { name: 'Start again: Every month' }).waitFor()
  },
  async restarted(playground) {
    await views['comeback']?.(playground)
    await playground.email.getByRole('button', { name: 'Start again: Every month' }).click()
    await inInbox(playground, 'EXPIRED5')
    await playground.email.getByRole('alert').waitFor()
  },
  async choices(playground) {
    await inInbox(playground, /Two minutes/)
    await playground.email.getByRole('button', { name: 'Save me a seat in March' }).click()
    await playground.email.getByText('Done', { exact: true }).waitFor()
  },
  async delay({ page, email }) {
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: '1 month' }).check()
  },
  async swap({ page, email }) {
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).click()
    expect(await findAxe(page)).toEqual([])
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /Hand Grinder/ })
      .check()
  },
  sendNow: ({ email }) => email.getByRole('button', { name: 'Send Now' }).click(),
  async longName({ page }) {
    expect(await page.getByRole('banner').evaluate((bar) => Reflect.get(bar, 'offsetHeight'))).toBeLessThan(60)
  },
  menu: ({ page }) => page.locator('.date-button').click(),
  async reset({ page }) {
    await page.locator('.date-button').click()
    await page.getByRole('button', { name: 'Reset the test shop' }).click()
  },
  async refused(playground) {
    await inInbox(playground, 'EXPIRED5')
    await playground.email.getByRole('alert').waitFor()
    await inInspector(playground, 'Requests')
    await playground.inspector.getByRole('button', { name: /get-discount 404/ }).click()
  },
  async headers(playground) {
    await inInspector(playground, 'Requests')
    await playground.inspector.getByRole('button', { name: /customer-portal/ }).click()
    await playground.inspector
      .getByText(/headers$/)
      .last()
      .click()
  },
  async endpoints(playground) {
    await inInspector(playground, 'Endpoints')
    await playground.inspector.getByRole('switch', { name: 'Offer getSubscription' }).uncheck()
  },
  async orders(playground) {
    await inInspector(playground, 'Shop')
    await playground.inspector.getByText('No orders yet.').waitFor()
    await sendTwice(playground)
    await inInspector(playground, 'Shop')
    await playground.inspector.getByText('1 new order').waitFor()
  },
  async responses(playground) {
    await sendTwice(playground)
    await inInspector(playground, 'Requests')
    await playground.inspector.locator('[data-endpoint=sendNow]').getByRole('button').first().click()
  },
  async signedOut(playground) {
    await playground.page.context().clearCookies()
    await inInbox(playground, /New on the shelf/)
    await playground.page.getByText('You are signed out.').waitFor()
    playground.complaints.splice(0)
  },
  async invalid({ page, shop }) {
    await page.goto(`${shop.url}/#as=nobody`)
    await page.reload()
    await page.getByText('The email address in this URL is not valid.').waitFor()
  },
}

/** Reference images, which a person reviews. `STOREPORT_IMAGES=take` updates them. The README shows the first two. */
const images: Readonly<Record<string, string>> = {
  'email 1440 light': '../../../docs/images/playground.jpg',
  'email 1440 dark': '../../../docs/images/playground-dark.jpg',
  'delay 1440 light': 'images/delay-1440-light.jpg',
  'comeback 1440 light': 'images/comeback-1440-light.jpg',
  'shelf 390 dark': 'images/shelf-390-dark.jpg',
  'swap 390 dark': 'images/swap-390-dark.jpg',
  'refused 390 dark': 'images/refused-390-dark.jpg',
}

const options = { referencePath: '/docs', history: async () => [] }
const longName = 'The Honourable Company of Coffee Roasters and Tea Merchants of the Northern Isles'
const cases = Object.keys(views).flatMap((name) => windowSizes.map((viewport) => ({ name, ...viewport })))

describeInBrowser('the page', (open) => {
  it.each(cases)(
    'has no axe violations and no overflow, and matches its images: $name ($width px)',
    async ({ name, ...viewport }) => {
      const playground = await open(
        { hasDemo: true, playground: { ...options, ...(name === 'longName' && { shopName: longName }) } },
        { viewport, reducedMotion: 'reduce' },
      )
      const { page, email } = playground
      await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
      await views[name]?.(playground)
      for (const colorScheme of ['light', 'dark'] as const) {
        const file = images[`${name} ${viewport.width} ${colorScheme}`]
        if (file === undefined) continue
        await page.emulateMedia({ colorScheme })
        expect(await compareToFile(page, new URL(file, import.meta.url)), 'share of blocks that differ').toBeLessThan(
          0.02,
        )
      }
      expect([await overflowOf(page), await findAxe(page)]).toEqual([0, []])
    },
  )
})

/** Returns the difference between the page and an image file. */
async function compareToFile(page: Page, file: URL): Promise<number> {
  await page.waitForLoadState('networkidle')
  await page.evaluate('document.fonts.ready')
  // Replaces durations and times, which differ in each run.
  for (const [place, text] of [
    ['.call-time', '5.0 ms'],
    ['.call-at', '12:00:00'],
  ]) {
    const times = page.locator(place ?? '')
    await times.evaluateAll(
      (elements, shown) => elements.forEach((time) => Reflect.set(time, 'textContent', shown)),
      text,
    )
  }
  // Moves the mouse away, because hover changes styles.
  await page.mouse.move(0, 0)
  const image = await page.screenshot({ type: 'jpeg', quality: 80, caret: 'hide' })
  if (process.env['STOREPORT_IMAGES'] === 'take') await writeFile(file, image)
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser.')
  return compareImages(browser, image, await readFile(file))
}

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
