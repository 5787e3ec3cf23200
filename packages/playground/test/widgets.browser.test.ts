import { expect, it } from 'vitest'
import { describeInBrowser, focusedName } from './describe-in-browser.ts'

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
    await email.getByText('Tuesday, 24 March').or(email.getByText('Next box')).first().waitFor()
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
    expect(await email.getByRole('region', { name: 'Your subscription' }).count()).toBe(0)
    expect(await email.getByRole('alert').count()).toBe(0)
    expect(await email.getByRole('switch').count()).toBe(0)
  })

  it('shows dates in the format of the browser', async () => {
    const { page, email } = await open({}, { locale: 'en-US' })
    await email.getByText('Tuesday, March 24').first().waitFor()
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await page.getByRole('button', { name: 'Move to March 31' }).waitFor()
    expect(await page.locator('.date-button').innerText()).toBe('March 10')
  })
})

describeInBrowser('a product card', (open) => {
  it('shows the image, the price, the compare-at price and the discount of a code', async () => {
    const { page, email } = await open({}, {}, '#email=shelf')
    const card = email.getByRole('listitem').filter({ hasText: 'Single Origin Ethiopia, 500 g' })
    await card.getByText('$39.95').waitFor()
    expect(await card.locator('s').first().textContent()).toBe('$39.95')
    await expect.poll(() => card.locator('img').evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(400)
    await page.getByRole('button', { name: 'EXPIRED5' }).click()
    expect(await email.getByRole('alert').textContent()).toBe('This code is invalid or has expired.')
    expect(await email.getByLabel('Discount code').inputValue()).toBe('EXPIRED5')

    await page.getByRole('button', { name: 'TEST20' }).click()
    await email.getByText('20% off', { exact: true }).waitFor()
    await card.getByText('You save $5.99').waitFor()
    await card.getByRole('button', { name: 'One more' }).click()
    await card.getByRole('button', { name: 'Add $47.92 Single Origin Ethiopia, 500 g' }).click()
    await card.getByText('2 added').waitFor()
    // Checks that a newly selected code does not change the displayed saving of the added product.
    await page.getByRole('button', { name: 'FIVEOFF' }).click()
    await email.getByText('$5.00 off', { exact: true }).waitFor()
    await card.getByText('You save $11.98').waitFor()
    await email.getByRole('button', { name: 'Remove FIVEOFF' }).click()
    await card.getByText('You save $11.98').waitFor()
  })

  it('adds a one-time product with a quantity and a discount code, and undoes the addition', async () => {
    const { page, email, shop, toast } = await open()
    await email.getByLabel('Discount code').fill('fiveoff')
    await email.getByRole('button', { name: 'Apply' }).click()
    await email.getByText('$5.00 off', { exact: true }).waitFor()
    expect(await toast.innerText()).toMatch(/^fiveoff is applied: \$5\.00 off\./)
    const product = email
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^Add .*Hand Grinder/ }) })
    await product.getByRole('button', { name: 'One more' }).click()
    await product.getByRole('switch', { name: 'Only in my next box' }).check()
    await product.getByRole('button', { name: 'Add $94.90 Hand Grinder' }).click()

    const added = email.getByRole('listitem').filter({ hasText: '2 added' })
    await added.waitFor()
    await email.getByRole('region', { name: 'Your subscription' }).getByText('Hand Grinder').waitFor()
    expect(await email.getByText('−$10.00').count()).toBe(1)
    expect(shop.store.account(customer)?.subscriptions[0]).toMatchObject({
      items: [{}, {}, { product_id: 'test_54321', quantity: 2, one_time: true }],
    })
    await added.getByRole('button', { name: 'Undo adding Hand Grinder' }).click()
    await toast.getByText('Hand Grinder was removed.').waitFor()
    expect((await shop.store.getSubscription({ email: customer }, context))?.items).toHaveLength(2)
    expect(shop.store.account(customer)?.discount_uses).toEqual([])
  })

  it('shows an error message if an addition is rejected or an undo is too late', async () => {
    const { page, email, shop, wire } = await open()
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
    await wire.getByRole('button', { name: /upsells\/add-product 404/ }).click()
    await wire.getByText('No customer has this email address.').first().waitFor()
    expect(await wire.getByText('Customer message').count()).toBe(1)
  })
})

describeInBrowser('the subscription', (open) => {
  it('shows items and totals with shipping, discount and estimated tax', async () => {
    const { email } = await open()
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByText('Tuesday, 24 March').waitFor()
    const rows = await portal.locator('dl > div').allInnerTexts()
    expect(rows.map((row) => row.split(/\s*\n\s*/))).toEqual([
      ['Items', '$69.85'],
      ['Discount', '−$5.00'],
      ['Shipping', '$5.99'],
      ['Estimated tax (8%)', '$5.19'],
      ['Estimated total', '$76.03'],
    ])
  })

  it('cannot be delayed to an earlier date or a date that is no longer available', async () => {
    const { page, email, shop } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delay your next box' })
    const date = dialog.getByLabel('Choose a date')
    await date.fill('2026-03-23')
    await dialog.getByRole('button', { name: 'Move' }).click()
    expect(await date.evaluate((field) => Reflect.get(Reflect.get(field, 'validity'), 'rangeUnderflow'))).toBe(true)
    expect(await page.locator('[data-endpoint=delaySubscription]').count()).toBe(0)
    await shop.store.delaySubscription({ email: customer, new_date: '2026-04-05' }, context)
    await dialog.getByRole('radio', { name: '1 week' }).check()
    await dialog.getByRole('button', { name: 'Move to 31 March' }).click()
    // The customer's other subscription is now the next to ship, and its date is later than the chosen date.
    expect(await dialog.getByRole('alert').textContent()).toBe(
      'This date is no longer available. Please choose a later date.',
    )
    await dialog.getByRole('radio', { name: '2 weeks' }).check()
    expect(await dialog.getByRole('alert').count()).toBe(0)
  })

  it('ships only after a confirmation, and shows why a second shipment is rejected', async () => {
    const { page, email, shop } = await open({ integration: { retries: false } })
    const dialog = page.getByRole('dialog', { name: 'Ship your box today?' })
    await email.getByRole('button', { name: 'Send Now' }).click()
    await dialog.getByText('$76.03').waitFor()
    await dialog.getByRole('button', { name: 'Not yet' }).click()
    expect(shop.store.orders(customer)).toEqual([])
    await email.getByRole('button', { name: 'Send Now' }).click()
    await dialog.getByRole('button', { name: 'Yes, ship it now' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(shop.store.orders(customer)).toMatchObject([{ total_minor: 7603 }])
    await email.getByRole('button', { name: 'Send Now' }).click()
    await dialog.getByRole('button', { name: 'Yes, ship it now' }).click()
    expect(await dialog.getByRole('alert').textContent()).toMatch(/already being packed today/)
    expect(shop.store.orders(customer)).toHaveLength(1)
  })

  it('applies a discount code to a swap, and requires the selection of a product', async () => {
    const { page, email, shop } = await open()
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    const dialog = page.getByRole('dialog', { name: 'Swap House Espresso, 500 g for…' })
    await dialog.getByRole('button', { name: 'Swap' }).click()
    expect(await page.locator('[data-endpoint=swapProduct]').count()).toBe(0)
    await dialog.getByRole('radio', { name: /Hand Grinder/ }).check()
    await dialog.getByLabel('Discount code').fill('TEST10')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByText('$89.91').waitFor()
    await dialog.getByRole('button', { name: 'Swap' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await shop.store.getSubscription({ email: customer }, context)).toMatchObject({
      items: [{ id: 'test_54321', title: 'Hand Grinder', quantity: 2 }, {}],
      order_discount_total: 14.99,
    })
  })

  it('reports that an item to swap is no longer in the box', async () => {
    const { page, email, shop } = await open()
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio').first().check()
    // Swaps the item for the product of the other item, so that the store merges both items.
    const input = { email: customer, current_item_id: 'test_12345', new_product_id: 'test_67890' }
    await shop.store.swapProduct(input, context)
    await dialog.getByRole('button', { name: 'Swap' }).click()
    expect(await dialog.getByRole('alert').textContent()).toMatch(/no longer in your box/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await email.getByRole('heading', { level: 4 }).first().textContent()).toMatch(/^Single Origin Ethiopia/)
  })
})

describeInBrowser('the reactivation list', (open) => {
  it("lists subscriptions in the shop's order, and restarts a subscription with a discount code", async () => {
    const { page, email, shop } = await open({}, {}, '#as=cancelled@example.com&email=comeback')
    await email.getByRole('heading', { name: 'Every month' }).waitFor()
    expect(await email.getByRole('heading', { level: 4 }).allTextContents()).toEqual(['Every month', 'Every 6 weeks'])
    await page.getByRole('button', { name: 'COMEBACK15' }).click()
    await email.getByText('$16.96 per box').waitFor()
    await email.getByRole('button', { name: 'Start again: Every month' }).click()
    await email.getByText('Welcome back').waitFor()
    expect(await shop.store.getSubscription({ email: 'cancelled@example.com' }, context)).toMatchObject({
      next_billing_date: '2026-03-11',
      order_discount_total: 2.99,
    })
    await page.reload()
    const other = email.getByRole('button', { name: 'Start again: Every 6 weeks' })
    await other.waitFor()
    await shop.store.reactivateSubscription({ email: 'cancelled@example.com', subscription_id: 'sub_2002' }, context)
    await other.click()
    expect(await email.getByRole('alert').textContent()).toBe('This box is already active.')
  })
})

describeInBrowser('a custom button', (open) => {
  it('runs its action, and still shows the result after another button is added', async () => {
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
