import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, findAxe, goToPanel, windowSizes } from './describe-in-browser.ts'

/** Opens the inbox, which covers the email on a narrow screen, and runs `act` in it. */
async function inInbox(page: Page, act: (inbox: Locator) => Promise<void>): Promise<void> {
  await goToPanel(page, 'Inbox')
  await act(page.getByRole('region', { name: 'Inbox' }))
}

describeInBrowser('accessibility', (open) => {
  it.each(windowSizes)('has no axe violations in the emails ($width px)', async (viewport) => {
    const { page, email } = await open({}, { viewport })
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    expect(await findAxe(page)).toEqual([])
    await inInbox(page, (inbox) => inbox.getByRole('button', { name: 'New on the shelf' }).click())
    await inInbox(page, (inbox) => inbox.getByRole('button', { name: 'TEST20' }).click())
    await email.getByText('TEST20', { exact: true }).waitFor()
    expect(await findAxe(page)).toEqual([])
    await inInbox(page, (inbox) => inbox.getByRole('radio', { name: /cancelled@/ }).check())
    await inInbox(page, (inbox) => inbox.getByRole('button', { name: 'We saved your spot' }).click())
    await email.getByRole('button', { name: 'Start again: Every month' }).click()
    await inInbox(page, (inbox) => inbox.getByRole('button', { name: 'EXPIRED5' }).click())
    await email.getByRole('alert').waitFor()
    expect(await findAxe(page)).toEqual([])
    await inInbox(page, (inbox) => inbox.getByRole('button', { name: 'Two minutes' }).click())
    await email.getByRole('button', { name: 'Save me a seat in March' }).click()
    await email.getByText('Done', { exact: true }).waitFor()
    expect(await findAxe(page)).toEqual([])
  })

  it.each(windowSizes)('has no axe violations in the dialogs ($width px)', async (viewport) => {
    const { page, email } = await open({}, { viewport })
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    expect(await findAxe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await email.getByRole('button', { name: 'Swap Single Origin Ethiopia, 500 g' }).click()
    await page.getByRole('dialog').getByRole('radio').first().check()
    expect(await findAxe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await email.getByRole('button', { name: 'Send Now' }).click()
    expect(await findAxe(page)).toEqual([])
  })

  it('has no axe violations in the inspector in a wide or narrow window', async () => {
    const { page, email, wire } = await open()
    await page.getByRole('radio', { name: /test@/ }).check()
    await email.getByRole('listitem').filter({ hasText: 'House Espresso, 500 g' }).getByRole('switch').check()
    await email.getByRole('button', { name: /^Add .*House Espresso, 500 g/ }).click()
    await wire.getByRole('button', { name: /add-product 404/ }).click()
    await wire
      .getByText(/^\d+ headers$/)
      .last()
      .click()
    expect(await findAxe(page)).toEqual([])
    await wire.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    await wire.getByRole('switch', { name: 'Offer getSubscription' }).uncheck()
    expect(await findAxe(page)).toEqual([])
    await page.setViewportSize({ width: 380, height: 800 })
    for (const panel of ['Inbox', 'Email', 'Inspector'] as const) {
      await goToPanel(page, panel)
      expect(await findAxe(page), panel).toEqual([])
    }
  })

  it.each(windowSizes)(
    'has no axe violations in the shop menu, orders, responses and reset dialog ($width px)',
    async (viewport) => {
      const { page, email, wire } = await open({ hasDemo: true }, { viewport })
      await page.locator('.date-button').click()
      expect(await findAxe(page)).toEqual([])
      await page.keyboard.press('Escape')
      await goToPanel(page, 'Inspector')
      await wire.getByRole('radio', { name: 'Twice, as a retry' }).check()
      await wire.getByRole('radio', { name: 'Shop', exact: true }).check()
      await wire.getByText('No orders yet.').waitFor()
      expect(await findAxe(page)).toEqual([])
      await goToPanel(page, 'Email')
      await email.getByRole('button', { name: /^Add / }).first().click()
      await email.getByRole('button', { name: /^Undo/ }).waitFor()
      await email.getByRole('button', { name: 'Send Now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Yes, ship it now' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await goToPanel(page, 'Inspector')
      await wire.getByText('1 new order').waitFor()
      expect(await findAxe(page)).toEqual([])
      await wire.getByRole('radio', { name: 'Requests', exact: true }).check()
      await wire.locator('[data-endpoint=sendNow]').getByRole('button').first().click()
      expect(await findAxe(page)).toEqual([])
      await page.locator('.date-button').click()
      await page.getByRole('button', { name: 'Reset the test shop' }).click()
      await page.getByRole('dialog').waitFor()
      expect(await findAxe(page)).toEqual([])
    },
  )

  it('has no axe violations in the notices', async () => {
    const { page, complaints } = await open({}, {}, '#as=nobody')
    await page.getByText('The email address in this URL is not valid.').waitFor()
    expect(await findAxe(page)).toEqual([])
    await page.context().clearCookies()
    await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').nth(1).click()
    await page.getByRole('alert').filter({ hasText: 'You are signed out.' }).waitFor()
    expect(await findAxe(page)).toEqual([])
    complaints.splice(0)
  })
})
