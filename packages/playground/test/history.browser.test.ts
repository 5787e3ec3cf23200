import type { ClickRecord } from '@storeport/core'
import { expect, it } from 'vitest'
import { describeInBrowser, findAxe, goToPanel, overflowOf, windowSizes } from './describe-in-browser.ts'

const email = 'subscription@example.com'

describeInBrowser('the history and the paused operations', (open) => {
  it.each(windowSizes.slice(0, 1))('are shown after a click ($width px)', async (viewport) => {
    const records: ClickRecord[] = []
    const {
      page,
      wire,
      email: paper,
    } = await open(
      {
        hasDemo: true,
        integration: { onClick: (record) => void records.push(record) },
        playground: {
          paused: ['swapProduct'],
          history: async (customer) =>
            records
              .filter((record) => record.email === customer)
              .map(({ time, requestId, operation, status }) => ({
                ...{ at: Date.parse(time), requestId, asked: `Asked ${operation}` },
                ...{ result: `Result ${status}`, failed: status >= 400 },
              })),
        },
      },
      { viewport },
    )
    await page.getByText('The shop has paused: swapProduct.').waitFor()
    await goToPanel(page, 'Inspector', 'mouse')
    await wire.getByRole('radio', { name: 'History' }).click()
    await wire.getByText('No clicks are recorded.').waitFor()
    await goToPanel(page, 'Email', 'mouse')
    await paper.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, ship it now' }).click()
    await goToPanel(page, 'Inspector', 'mouse')
    await wire.getByText(`The recorded clicks of ${email}`).waitFor()
    await wire.getByText('Asked sendNow').waitFor()
    expect(await wire.getByRole('list', { name: 'Recorded clicks' }).textContent()).toMatch(/\b20\d\d, .*Result 200/)
    expect(await overflowOf(page)).toBe(0)
    expect(await findAxe(page)).toEqual([])
  })
})
