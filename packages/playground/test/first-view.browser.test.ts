import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'

/** Where the last pixel of something is, from the top of the window. */
async function bottomOf(place: Locator): Promise<number> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('it is not drawn')
  return box.y + box.height
}

const sizes = [
  { width: 390, height: 844 },
  { width: 380, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

describeInBrowser('the first view', (open) => {
  it.each(sizes)('has the next box, its date and both buttons at $width × $height', async (viewport) => {
    const { page, email } = await open({}, { viewport })
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByText('Tuesday, 24 March').waitFor()
    for (const place of [
      portal.getByText('Next box'),
      portal.getByText('Tuesday, 24 March'),
      portal.getByText('in 14 days'),
      portal.getByRole('button', { name: 'Send Now' }),
      portal.getByRole('button', { name: 'Delay Subscription' }),
      portal.getByRole('heading', { level: 4 }).first(),
    ]) {
      expect(await bottomOf(place)).toBeLessThan(viewport.height)
    }
    expect(await page.locator('.mail-scroll').evaluate((place) => Reflect.get(place, 'scrollTop'))).toBe(0)
  })

  it.each(sizes)('says what the page is, and who writes to whom, at $width × $height', async (viewport) => {
    const { page, email } = await open({}, { viewport })
    const line = page.getByText('The email as your customer sees it')
    expect(await bottomOf(line)).toBeLessThan(150)
    expect(await line.innerText()).toMatch(
      viewport.width < 1200 ? /calls: “Behind it”\.$/ : /; beside it every call\.$/,
    )
    const head = await email.locator('.mail-head').innerText()
    expect(head).toMatch(/Corner Coffee\s+Subscriber · subscription@example\.com/)
  })

  it('asks nobody but the host', async () => {
    const { page, email, shop } = await open()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await email.getByRole('button', { name: /^Add / }).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.filter((url) => url.endsWith('.woff2')).length).toBeGreaterThan(1)
    expect(asked.filter((url) => !url.startsWith(`${shop.url}/`))).toEqual([])
  })

  it('is written in the fonts that the page brings', async () => {
    const { page } = await open()
    await page.waitForLoadState('networkidle')
    const loaded = `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`
    const families: readonly string[] = await page.evaluate(loaded)
    const own = families.map((family) => family.replaceAll('"', '')).filter((family) => !family.includes('Fallback'))
    expect(own.toSorted()).toEqual(['Page Mono', 'Page Sans', 'Page Serif'])
  })

  it.each(sizes)('fits the window, whose panels alone are scrolled, at $width × $height', async (viewport) => {
    const { page, email } = await open({}, { viewport })
    await email.getByRole('button', { name: /^Add / }).first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(viewport.height)
  })

  it('shows customers by what they are, the words of the host before those of their role', async () => {
    const { page } = await open()
    await page.route('**/playground/config', async (route) => {
      const response = await route.fetch()
      const config = await response.json()
      config.customers[1].label = 'Left two days ago'
      await route.fulfill({ json: config })
    })
    await page.reload()
    const customers = page.getByRole('radiogroup', { name: 'Read as' }).locator('label')
    await customers.first().waitFor()
    expect((await customers.allInnerTexts()).slice(0, 2).map((text) => text.split('\n').slice(1))).toEqual([
      ['Subscriber', 'subscription@example.com'],
      ['Left two days ago', 'cancelled@example.com'],
    ])
  })
})
