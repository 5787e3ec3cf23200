import { expect, it } from 'vitest'
import { describeInBrowser, goToPanel, overflowOf, windowSizes } from './describe-in-browser.ts'
import { apiKey, type ShopOptions, urlForTest } from './start-shop.ts'

/** Options of a shop with two defects. Several checks detect the first defect. */
const withDefects: ShopOptions = {
  store: (store) => ({
    ...store,
    async getDiscount() {
      throw new Error('no such table')
    },
    listProducts: (_, context) => store.listProducts({}, context),
  }),
  integration: { onError: () => {} },
}

/** Maximum time for a run of the checks on a busy machine, in milliseconds. */
const runMs = 120_000

describeInBrowser('the checks tab', (open) => {
  it.each(windowSizes)("displays the kit's report ($width px)", { timeout: 2 * runMs }, async (viewport) => {
    const { page, wire, complaints } = await open(withDefects, { viewport, colorScheme: 'dark' })
    await goToPanel(page, 'Inspector')
    await wire.getByRole('radio', { name: 'Checks', exact: true }).check()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    await wire.getByRole('status').filter({ hasText: 'NOT CONFORMING' }).waitFor({ timeout: runMs })
    const report = wire.frameLocator('iframe')
    expect(await report.locator('.verdict').innerText()).toBe('NOT CONFORMING')
    await report.locator('.cause > summary').first().press('Enter')
    await report
      .locator('.cause[open] pre')
      .first()
      .getByText(/^curl -i '/)
      .waitFor()
    const isDark = await report.locator('body').evaluate('matchMedia("(prefers-color-scheme: dark)").matches')
    expect(isDark).toBe(true)
    expect(await overflowOf(page)).toBe(0)

    const opened = page.context().waitForEvent('page')
    await wire.getByRole('link', { name: 'Open the full report' }).press('Enter')
    const whole = await opened
    whole.on('console', (message) => complaints.push(message.text()))
    await whole.getByRole('heading', { name: 'All checks' }).waitFor()
    // Checks that the content security policy allows the inline style of the report.
    expect(await whole.evaluate(`getComputedStyle(document.querySelector('main')).maxWidth`)).toBe('992px')
    expect(await whole.content()).not.toContain(apiKey)
    // Checks that the report has the colors of the playground, and that a printed report contains all results.
    expect(await whole.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(17, 19, 18)')
    await whole.emulateMedia({ media: 'print' })
    expect(await whole.locator('details tr').first().isVisible()).toBe(true)
    expect(await wire.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('conformance-report.html')
  })

  it('shows the verdict NOT TRIED for a correct shop in read-only mode', { timeout: 2 * runMs }, async () => {
    const { wire } = await open()
    await wire.getByRole('radio', { name: 'Checks', exact: true }).check()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    await wire.getByText('NOT TRIED', { exact: true }).waitFor({ timeout: runMs })
    expect(await wire.locator('.verdict').getAttribute('class')).toContain('good')
    await wire.getByText('To test every endpoint, choose “Read and write” above.').waitFor()
  })

  it('shows why a run pauses, with the remaining seconds', { timeout: runMs }, async () => {
    const baseUrl = await urlForTest((_req, res) => {
      const error = { code: 'rate_limited', message: 'Too many requests.' }
      res.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '30' })
      res.end(JSON.stringify({ success: false, error }))
    })
    const { wire } = await open({ playground: { target: { baseUrl, apiKey } } })
    await wire.getByRole('radio', { name: 'Checks' }).check()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    await wire
      .getByText(/^The shop’s rate limit was reached\. The checks continue in (?:30|29) s\.$/)
      .waitFor({ timeout: runMs })
    await wire.getByRole('button', { name: 'Stop' }).click()
    await wire.getByText('Stopped.').waitFor()
  })
})
