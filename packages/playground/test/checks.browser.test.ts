import { collectReport, createReport, offeredBy, runChecks, seedProfile, sendByHttp } from '@storeport/conformance'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import * as z from 'zod'
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

const causesIn = (wire: Locator, list: string) => wire.getByRole('list', { name: list, exact: true }).locator('summary')

/** What each cause says, its parts in a row. */
function wordsOf(summaries: readonly unknown[]): string[] {
  return summaries.map((summary) =>
    Array.from(Reflect.get(Object(summary), 'children'), (part) => Reflect.get(Object(part), 'textContent')).join(' '),
  )
}

const sizes = [
  [380, 800],
  [1440, 900],
] as const

/** Time for a run of the checks on a machine that has other work, in milliseconds. */
const runMs = 120_000

/** Each test makes one run or two. */
const timeout = 3 * runMs

describeInBrowser('the report of the checks', (open) => {
  it.each(sizes)('says what the kit says, by cause, at %i pixels', { timeout }, async (width, height) => {
    const playground = await open(withDefects, { viewport: { width, height } })
    const { page, wire } = playground
    const { verdict, sentences, causes } = await reportOf(playground)
    expect(verdict).toBe('NOT CONFORMING')
    expect(causes.length).toBeGreaterThan(1)
    expect(Math.max(...causes.map(({ checks }) => checks.length))).toBeGreaterThan(1)

    const toWire = page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Behind it' })
    if (await toWire.isVisible()) await toWire.click()
    await wire.getByRole('tab', { name: 'Checks' }).click()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    await wire.getByText('NOT CONFORMING', { exact: true }).waitFor({ timeout: runMs })

    const said = await wire.getByRole('status').getByRole('paragraph').allInnerTexts()
    expect(said).toEqual(['NOT CONFORMING', ...sentences])
    for (const [list, outcome] of [
      ['What must be fixed', 'failed'],
      ['Warnings', 'warning'],
    ] as const) {
      expect(await causesIn(wire, list).evaluateAll(wordsOf)).toEqual(
        causes
          .filter((cause) => cause.outcome === outcome)
          .map(({ title, checks, cause }) => `${title} ${checks.length} ${cause.replaceAll('`', '')}`),
      )
    }
    await causesIn(wire, 'What must be fixed').first().press('Enter')
    const finding = wire.locator('.cause[open] .finding').first()
    await finding.getByRole('button', { name: 'Copy' }).waitFor()
    expect(await finding.locator('dt').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^call/), 'expected', 'usually']),
    )
    expect(await finding.locator('pre').first().innerText()).toMatch(/^curl -i '/)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  })

  it('says that a shop without a defect can be connected, as far as a look tells', { timeout }, async () => {
    const { page, wire } = await open()
    await wire.getByRole('tab', { name: 'Checks' }).click()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    await wire.getByText('NOT TRIED', { exact: true }).waitFor({ timeout: runMs })
    // The server of this test is a plain one of Node: it is warned of what its parser answers, which counts for nothing.
    expect(await wire.getByText('What must be fixed').count()).toBe(0)
    const colors: unknown = await page.evaluate(
      `[...document.querySelectorAll('.counts strong')].map((count) => getComputedStyle(count).color)`,
    )
    const [passed, failed, , skipped] = z.array(z.string()).parse(colors)
    expect(await wire.getByText('0 failed', { exact: true }).count()).toBe(1)
    expect(failed).toBe(skipped)
    expect(failed).not.toBe(passed)
  })

  it('leads to the whole report of the kit, of the last run', { timeout }, async () => {
    const { page, wire, complaints } = await open(withDefects)
    await wire.getByRole('tab', { name: 'Checks' }).click()
    await wire.getByRole('button', { name: 'Run the checks' }).click()
    const link = wire.getByRole('link', { name: 'Open the whole report' })
    await link.waitFor({ timeout: runMs })
    const opened = page.context().waitForEvent('page')
    await link.press('Enter')
    const report = await opened
    report.on('console', (message) => complaints.push(message.text()))
    await report.getByRole('heading', { name: 'Every check' }).waitFor()
    expect(await report.locator('.verdict').innerText()).toBe('NOT CONFORMING')
    // Its one style is let in by the policy.
    expect(await report.evaluate(`getComputedStyle(document.querySelector('main')).maxWidth`)).toBe('992px')
    expect(await report.content()).not.toContain(apiKey)
  })
})
