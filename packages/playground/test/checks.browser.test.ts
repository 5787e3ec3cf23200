import { collectReport, createReport, offeredBy, runChecks, seedProfile, sendByHttp } from '@storeport/conformance'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, type OpenPlayground } from './describe-in-browser.ts'
import { apiKey, type ShopOptions } from './start-shop.ts'

/** A shop with two defects: one that several checks see, and one of a decided requirement. */
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

/** What the kit says of the shop of a playground, without the playground. */
async function reportOf({ shop }: OpenPlayground) {
  const options = { send: sendByHttp(shop.url), apiKey, profile: { ...seedProfile, today: '2026-03-10' } }
  const offered = await offeredBy(options)
  return createReport({
    ...(await collectReport(runChecks({ ...options, offered, mode: 'read-only' }))),
    kit: 'the test',
    baseUrl: shop.url,
    basePath: '/integration',
    startedAt: '2026-03-10T10:00:00.000Z',
    durationMs: 1,
    mode: 'read-only',
    only: [],
    strict: false,
    profile: 'that of the test',
    problem: undefined,
  })
}

const causeList = (wire: Locator) => wire.getByRole('list', { name: 'What was found, by cause' })

const sizes = [
  [380, 800],
  [1440, 900],
] as const

describeInBrowser('the report of the checks', (open) => {
  it.each(sizes)('says what the kit says, by cause, at %i pixels', async (width, height) => {
    const playground = await open(withDefects, { viewport: { width, height } })
    const { page, wire } = playground
    const { verdict, sentences, causes } = await reportOf(playground)
    expect(verdict).toBe('NOT READY')
    expect(causes.length).toBeGreaterThan(1)
    expect(Math.max(...causes.map(({ checks }) => checks.length))).toBeGreaterThan(1)

    const toWire = page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Behind it' })
    if (await toWire.isVisible()) await toWire.click()
    await wire.getByRole('tab', { name: 'Checks' }).click()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    await wire.getByText('NOT READY', { exact: true }).waitFor({ timeout: 50_000 })

    const said = await wire.getByRole('status').getByRole('paragraph').allInnerTexts()
    expect(said).toEqual(['NOT READY', ...sentences])
    const listed = await causeList(wire).getByRole('paragraph').allInnerTexts()
    const words = { failed: 'failed', warning: 'warned' } as const
    expect(listed).toEqual(
      causes.map(({ title, outcome, checks, cause }) => {
        return `${title}, ${checks.length} ${words[outcome]}: ${cause.replaceAll('`', '')}`
      }),
    )
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  })

  it('says that a shop without a defect can be connected, as far as a look tells', async () => {
    const { wire } = await open()
    await wire.getByRole('tab', { name: 'Checks' }).click()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    await wire.getByText('READY, read-only', { exact: true }).waitFor({ timeout: 50_000 })
    // The server of this test is a plain one of Node: it is warned of what its parser answers, which counts for nothing.
    expect(await causeList(wire).getByText('failed').count()).toBe(0)
  })
})
