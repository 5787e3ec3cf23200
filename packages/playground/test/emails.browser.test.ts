import { expect, it } from 'vitest'
import { describeInBrowser, focusedName, goToPanel, windowSizes } from './describe-in-browser.ts'

const customer = 'subscription@example.com'
const context = { requestId: 'test', idempotencyKey: 'test', testMode: false, signal: new AbortController().signal }

describeInBrowser('an email', (open) => {
  it('can be viewed for any email address, and at phone width', async () => {
    const { page, email } = await open({ playground: { customers: undefined } })
    await page.getByText('No customer selected').waitFor()
    const address = page.getByLabel('Another email address')
    await address.fill('not an address')
    await address.press('Enter')
    expect(await address.evaluate((field) => Reflect.get(Reflect.get(field, 'validity'), 'typeMismatch'))).toBe(true)
    await address.fill(customer)
    await address.press('Enter')
    await email.getByText('Tuesday, 24 March').first().waitFor()
    await page.getByRole('radio', { name: /Entered by you.*subscription@example/ }).waitFor()
    await email.getByRole('radio', { name: 'Phone' }).check()
    expect(await page.locator('.paper').evaluate((paper) => Reflect.get(paper, 'offsetWidth'))).toBe(380)
  })

  it.each([
    ['#as=test@example.com', 'No box on its way'],
    ['#as=nobody.at.all@example.com', 'Customer not found'],
    ['#email=comeback', 'Nothing to restart'],
  ])('shows a headline without an alert for empty content at %s', async (fragment, name) => {
    const { email } = await open({}, {}, fragment)
    for (const level of [2, 3]) await email.getByRole('heading', { name, level }).waitFor()
    const absent = ['alert', 'switch'] as const
    for (const role of absent) expect(await email.getByRole(role).count(), role).toBe(0)
    expect(await email.getByRole('region', { name: 'Your subscription' }).count()).toBe(0)
  })
})

describeInBrowser('a product card', (open) => {
  it('shows the image, the prices and the discount of a code, which is fixed after the addition', async () => {
    const { page, email } = await open({}, {}, '#email=shelf')
    const card = email.getByRole('listitem').filter({ hasText: 'Single Origin Ethiopia, 500 g' })
    await card.getByText('$39.95').waitFor()
    expect(await card.locator('s').first().textContent()).toBe('$39.95')
    await expect.poll(() => card.locator('img').evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(400)
    await page.getByRole('button', { name: 'EXPIRED5' }).click()
    expect(await email.getByRole('alert').textContent()).toBe('This code is invalid or has expired.')
    expect(await email.getByLabel('Discount code').inputValue()).toBe('EXPIRED5')
    await page.getByRole('button', { name: 'TEST20' }).click()
    await card.getByText('You save $5.99').waitFor()
    await card.getByRole('button', { name: 'One more' }).click()
    await card.getByRole('button', { name: 'Add $47.92 Single Origin Ethiopia, 500 g' }).click()
    await card.getByText('2 added').waitFor()
    await page.getByRole('button', { name: 'FIVEOFF' }).click()
    await email.getByText('$5.00 off', { exact: true }).waitFor()
    await card.getByText('You save $11.98').waitFor()
    await email.getByRole('button', { name: 'Remove FIVEOFF' }).click()
    await card.getByText('You save $11.98').waitFor()
  })

  it('adds a one-time product with a quantity and a code, and undoes the addition, each with a message', async () => {
    const { page, email, shop, toast } = await open()
    await email.getByLabel('Discount code').fill('fiveoff')
    await email.getByRole('button', { name: 'Apply' }).click()
    await toast.getByText('fiveoff is applied: $5.00 off.').waitFor()
    await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())')
    expect(await page.locator('.toast').isVisible()).toBe(false)
    const add = page.getByRole('button', { name: /^Add .*Hand Grinder/ })
    const product = email.getByRole('listitem').filter({ has: add })
    await product.getByRole('button', { name: 'One more' }).click()
    await product.getByRole('switch', { name: 'Only in my next box' }).check()
    await product.getByRole('button', { name: 'Add $94.90 Hand Grinder' }).click()
    await toast.getByText('2 × Hand Grinder were added to your order.').waitFor()
    expect(await page.locator('.toast').isVisible()).toBe(true)
    await email.getByRole('region', { name: 'Your subscription' }).getByText('Hand Grinder').waitFor()
    expect(await email.getByText('−$10.00').count()).toBe(1)
    expect(shop.store.account(customer)?.subscriptions[0]).toMatchObject({
      items: [{}, {}, { product_id: 'test_54321', quantity: 2, one_time: true }],
    })
    await email.getByRole('button', { name: 'Undo adding Hand Grinder' }).click()
    await toast.getByText('Hand Grinder was removed.').waitFor()
    expect((await shop.store.getSubscription({ email: customer }, context))?.items).toHaveLength(2)
    expect(shop.store.account(customer)?.discount_uses).toEqual([])
  })

  it('shows an error message if an addition is rejected or an undo is too late', async () => {
    const { page, email, shop, inspector } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    await shop.store.sendNow({ email: customer }, context)
    await email.getByRole('button', { name: /^Undo/ }).click()
    expect(await email.getByRole('alert').textContent()).toMatch(/nothing to undo/)
    await email.getByText('Added', { exact: true }).waitFor()
    await page.getByRole('radio', { name: /nobody/ }).check()
    const card = email.getByRole('listitem').filter({ hasText: 'House Espresso, 500 g' })
    await card.getByRole('button', { name: /^Add/ }).click()
    expect(await card.getByRole('alert').textContent()).toBe('We could not find your account. Please contact us.')
    await inspector.getByRole('button', { name: /upsells\/add-product 404/ }).click()
    await inspector.getByText('No customer has this email address.').first().waitFor()
  })

  it('keeps the focus when a code is applied and removed with the keyboard on a narrow screen', async () => {
    const { page, email } = await open({}, { viewport: windowSizes[0] })
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
})

describeInBrowser('a click without a dialog', (open) => {
  it("restarts a subscription with a code, in the shop's order, and keeps the place of the focus", async () => {
    const { page, email, shop } = await open({}, {}, '#as=cancelled@example.com&email=comeback')
    await email.getByRole('heading', { name: 'Every month' }).waitFor()
    expect(await email.getByRole('heading', { level: 4 }).allTextContents()).toEqual(['Every month', 'Every 6 weeks'])
    await page.getByRole('button', { name: 'COMEBACK15' }).click()
    await email.getByText('$16.96 per box').waitFor()
    await email.getByRole('button', { name: 'Start again: Every month' }).press('Enter')
    await expect.poll(() => focusedName(page)).toBe('Welcome back')
    await page.keyboard.press('Tab')
    expect(await focusedName(page)).toBe('Start again: Every 6 weeks')
    expect(await shop.store.getSubscription({ email: 'cancelled@example.com' }, context)).toMatchObject({
      next_billing_date: '2026-03-11',
      order_discount_total: 2.99,
    })
    await shop.store.reactivateSubscription({ email: 'cancelled@example.com', subscription_id: 'sub_2002' }, context)
    await page.keyboard.press('Enter')
    await email.getByText('This box is already active.').waitFor()
  })

  it('runs a custom action, and still shows the result after another button is added', async () => {
    const { page, email, shop, toast } = await open({}, {}, '#email=choices')
    await email.getByRole('button', { name: 'Save me a seat in March' }).press('Enter')
    await toast.getByText('Save me a seat in March: done.').waitFor()
    expect(await focusedName(page)).toBe('Save me a seat in MarchDone')
    await page.getByLabel('Action id').fill('  no_such-action ')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await email.getByRole('button', { name: 'No such action' }).click()
    expect(await email.getByRole('alert').textContent()).toBe('This offer has ended.')
    expect(await email.getByText('Done', { exact: true }).count()).toBe(1)
    expect(shop.store.actionsRun).toMatchObject([{ email: customer, action_id: 'register_webinar_march' }])
  })
})
