import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, focusedName, goToPanel } from './describe-in-browser.ts'

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < 90; presses++) {
    await page.keyboard.press('Tab')
    const focused = await focusedName(page)
    seen.push(focused)
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
  }
  throw new Error(`Tab does not reach ${name}, only ${seen.join(' | ')}`)
}

describeInBrowser('keyboard use', (open) => {
  it('delays the order to a typed date, and restores the focus', async () => {
    const { page, email, shop, toast } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).waitFor()
    await tabTo(page, 'Skip to the email')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Delay Subscription')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Choose a date')
    await page.keyboard.type('04122026')
    await tabTo(page, 'Move to 12 April')
    await page.keyboard.press('Enter')
    await toast
      .getByText('Your box moves to Sunday, 12 April. Your other box ships first, on Thursday, 9 April.')
      .waitFor()
    expect(shop.store.account('subscription@example.com')?.subscriptions[0]).toMatchObject({
      next_billing_date: '2026-04-12',
    })
    await email.getByText('Thursday, 9 April').waitFor()
    await expect.poll(() => focusedName(page)).toBe('Delay Subscription')
  })

  it('applies and removes a discount code, including from the inbox on a narrow screen', async () => {
    const { page, email } = await open({}, { viewport: { width: 380, height: 800 } })
    await email.getByLabel('Discount code').focus()
    await page.keyboard.type('NOSUCHCODE')
    await page.keyboard.press('Enter')
    await email.getByRole('alert').waitFor()
    expect(await focusedName(page)).toBe('Discount code')
    await goToPanel(page, 'Inbox')
    await page.getByRole('button', { name: 'TEST10' }).press('Enter')
    await expect.poll(() => focusedName(page)).toBe('Remove TEST10')
    await page.keyboard.press('Enter')
    await expect.poll(() => focusedName(page)).toBe('Discount code')
    await goToPanel(page, 'Inbox')
    await page.getByRole('button', { name: 'Two minutes' }).press('Enter')
    await expect.poll(() => focusedName(page)).toBe('Two minutes, one click')
  })

  it('restarts a subscription, and then reaches the next subscription with Tab', async () => {
    const { page, email } = await open({}, {}, '#as=cancelled@example.com&email=comeback')
    await email.getByRole('button', { name: 'Start again: Every month' }).press('Enter')
    await expect.poll(() => focusedName(page)).toBe('Welcome back')
    await page.keyboard.press('Tab')
    expect(await focusedName(page)).toBe('Start again: Every 6 weeks')
  })

  it('selects customers, emails and tabs', async () => {
    const { page, email, wire } = await open()
    await page.getByRole('radio', { name: /subscription@/ }).focus()
    await page.keyboard.press('ArrowDown')
    await email.getByRole('heading', { name: 'No box on its way', level: 2 }).waitFor()
    await tabTo(page, /New on the shelf/)
    await page.keyboard.press('Enter')
    await email.getByRole('heading', { name: 'New on the shelf', exact: true }).waitFor()
    await wire.getByRole('radio', { name: 'Requests' }).focus()
    await page.keyboard.press('ArrowLeft')
    await wire.getByRole('switch', { name: 'Offer listProducts' }).waitFor()
  })
})
