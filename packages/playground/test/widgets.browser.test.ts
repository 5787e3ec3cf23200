import { expect, it } from 'vitest'
import { describeInBrowser, focusedName } from './describe-in-browser.ts'

const customer = 'subscription@example.com'
const context = { requestId: 'test', idempotencyKey: 'test', testMode: false, signal: new AbortController().signal }

describeInBrowser('an email', (open) => {
  it('can be viewed as the customer with any email address', async () => {
    const { page, email } = await open({ playground: { profile: undefined } })
    await page.getByText('No customer selected').waitFor()
    const address = page.getByLabel('Another email address')
    await address.fill('not an address')
    await address.press('Enter')
    expect(await page.getByRole('alert').textContent()).toBe('Enter a valid email address.')
    await address.fill(customer)
    await address.press('Enter')
    await email.getByText('Tuesday, 24 March').or(email.getByText('Next box')).first().waitFor()
    await page.getByRole('radio', { name: /Entered by you.*subscription@example/ }).waitFor()
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
  })

  it('can be shown at phone width', async () => {
    const { page, email } = await open()
    await email.getByRole('button', { name: 'Phone' }).click()
    const width = await page.locator('.paper').evaluate((paper) => Reflect.get(paper, 'offsetWidth'))
    expect(width).toBe(380)
  })
})

describeInBrowser('a product card', (open) => {
  it("shows the image, the price, the compare-at price and a code's discount", async () => {
    const { page, email } = await open()
    await page.getByRole('button', { name: 'New on the shelf' }).click()
    const card = email.getByRole('listitem').filter({ hasText: 'Single Origin Ethiopia, 500 g' })
    await card.getByText('$39.95').waitFor()
    expect(await card.locator('s').first().textContent()).toBe('$39.95')
    await expect.poll(() => card.locator('img').evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(400)

    await page.getByRole('button', { name: 'TEST20' }).click()
    await email.getByText('20% off', { exact: true }).waitFor()
    await card.getByText('You save $5.99').waitFor()
    await card.getByRole('button', { name: 'One more' }).click()
    await card.getByRole('button', { name: 'Add $47.92 Single Origin Ethiopia, 500 g' }).waitFor()
    await email.getByRole('button', { name: 'Remove TEST20' }).click()
    await card.getByRole('button', { name: 'Add $59.90 Single Origin Ethiopia, 500 g' }).waitFor()
  })

  it('adds a product with quantity, code and one-time flag, updates the subscription, and undoes the addition', async () => {
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
    const subscription = await shop.store.getSubscription({ email: customer }, context)
    expect(subscription?.items.at(-1)).toMatchObject({ title: 'Hand Grinder', quantity: 2 })
    expect(shop.store.account(customer)?.subscriptions[0]).toMatchObject({
      items: [{}, {}, { product_id: 'test_54321', quantity: 2, one_time: true }],
    })

    await added.getByRole('button', { name: 'Undo adding Hand Grinder' }).click()
    await toast.getByText('Hand Grinder was removed.').waitFor()
    expect((await shop.store.getSubscription({ email: customer }, context))?.items).toHaveLength(2)
    expect(shop.store.account(customer)?.discount_uses).toEqual([])
  })

  it('shows the customer an error message if an add is rejected', async () => {
    const { page, email, wire } = await open()
    await page.getByRole('radio', { name: /cancelled@/ }).check()
    const card = email.getByRole('listitem').filter({ hasText: 'House Espresso, 500 g' })
    await card.getByRole('switch').check()
    await card.getByRole('button', { name: /^Add/ }).click()
    expect(await card.getByRole('alert').textContent()).toBe('You need an active subscription to do this.')
    await wire.getByRole('button', { name: /add-product 404/ }).click()
    await wire.getByText('one_time: the customer has no active subscription').first().waitFor()
    expect(await wire.getByText('Customer message').count()).toBe(1)
  })

  it('reports that an undo is too late', async () => {
    const { email, shop } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    await shop.store.sendNow({ email: customer }, context)
    await email.getByRole('button', { name: /^Undo/ }).click()
    expect(await email.getByRole('alert').textContent()).toMatch(/nothing to undo/)
    await email.getByText('Added', { exact: true }).waitFor()
  })

  it('rejects an expired code', async () => {
    const { page, email } = await open()
    await page.getByRole('button', { name: 'EXPIRED5' }).click()
    expect(await email.getByRole('alert').textContent()).toBe('This code is invalid or has expired.')
    expect(await email.getByLabel('Discount code').inputValue()).toBe('EXPIRED5')
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
    expect(await portal.getByRole('heading', { level: 4 }).allTextContents()).toEqual([
      'House Espresso, 500 g',
      'Single Origin Ethiopia, 500 g',
    ])
  })

  it('is delayed to a chosen date, but cannot be moved to an earlier date', async () => {
    const { page, email, shop, toast } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delay your next box' })
    await dialog.getByLabel('Choose a date').fill('2026-03-23')
    await dialog.getByText('Choose Tuesday, 24 March or later.').waitFor()
    await dialog.getByRole('button', { name: 'Move' }).click({ force: true })
    await dialog.getByLabel('Choose a date').fill('2026-04-08')
    await dialog.getByRole('button', { name: 'Move to 8 April' }).click()
    await toast.getByText('Your box moves to Wednesday, 8 April.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await shop.store.getSubscription({ email: customer }, context)).toMatchObject({
      next_billing_date: '2026-04-08',
    })
  })

  it('shows in the dialog why the date is no longer available', async () => {
    const { page, email, shop } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    await shop.store.delaySubscription({ email: customer, new_date: '2026-04-05' }, context)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '1 week' }).click()
    await dialog.getByRole('button', { name: 'Move to 31 March' }).click()
    // The customer's other subscription is now the next to ship, and its date is later than the chosen date.
    expect(await dialog.getByRole('alert').textContent()).toBe(
      'This date is no longer available. Please choose a later date.',
    )
    await dialog.getByRole('button', { name: '2 weeks' }).click()
    expect(await dialog.getByRole('alert').count()).toBe(0)
  })

  it('is shipped only after a confirmation', async () => {
    const { page, email, shop, toast } = await open()
    await email.getByRole('button', { name: 'Send Now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ship your box today?' })
    await dialog.getByText('$76.03').waitFor()
    await dialog.getByRole('button', { name: 'Not yet' }).click()
    expect(shop.store.orders(customer)).toEqual([])
    await email.getByRole('button', { name: 'Send Now' }).click()
    await dialog.getByRole('button', { name: 'Yes, ship it now' }).click()
    await toast.getByText(/^Your box is on its way\. The next box is planned for \w+, \d+ April\./).waitFor()
    expect(shop.store.orders(customer)).toMatchObject([{ total_minor: 7603 }])
  })

  it('shows why it cannot be shipped', async () => {
    const { page, email, shop } = await open({ integration: { retries: false } })
    await shop.store.sendNow({ email: customer }, context)
    await email.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('button', { name: 'Yes, ship it now' }).click()
    expect(await page.getByRole('dialog').getByRole('alert').textContent()).toMatch(/already being packed today/)
    expect(shop.store.orders(customer)).toHaveLength(1)
  })

  it('applies a discount code when an item is swapped', async () => {
    const { page, email, shop, toast } = await open()
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    const dialog = page.getByRole('dialog', { name: 'Swap House Espresso, 500 g for…' })
    await dialog.getByRole('radio', { name: /Hand Grinder/ }).check()
    await dialog.getByLabel('Discount code').fill('TEST10')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByText('$89.91').waitFor()
    await dialog.getByRole('button', { name: 'Swap' }).click()
    await toast.getByText('Swapped: Hand Grinder is in your box now.').waitFor()
    expect(await shop.store.getSubscription({ email: customer }, context)).toMatchObject({
      items: [{ id: 'test_54321', title: 'Hand Grinder', quantity: 2 }, {}],
      order_discount_total: 14.99,
    })
  })

  it('reports that an item is no longer in the box', async () => {
    const { page, email, shop } = await open()
    await email.getByRole('button', { name: 'Swap House Espresso, 500 g' }).click()
    await page.getByRole('dialog').getByRole('radio').first().check()
    // Swaps the item for the product of the other item, so that the store merges both items.
    const input = { email: customer, current_item_id: 'test_12345', new_product_id: 'test_67890' }
    await shop.store.swapProduct(input, context)
    const { items } = (await shop.store.getSubscription({ email: customer }, context)) ?? {}
    expect(items).toMatchObject([{ id: 'test_67890', quantity: 3 }])
    await page.getByRole('dialog').getByRole('button', { name: 'Swap' }).click()
    expect(await page.getByRole('dialog').getByRole('alert').textContent()).toMatch(/no longer in your box/)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Single Origin Ethiopia/)
  })
})

describeInBrowser('the reactivation list', (open) => {
  const comeBack = '#as=cancelled@example.com&email=comeback'

  it("lists subscriptions in the shop's order, and restarts a subscription with a discount code", async () => {
    const { page, email, shop } = await open({}, {}, comeBack)
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
  })

  it('reports that a subscription is already active', async () => {
    const { email, shop } = await open({}, {}, comeBack)
    const start = email.getByRole('button', { name: 'Start again: Every month' })
    await start.waitFor()
    await shop.store.reactivateSubscription({ email: 'cancelled@example.com', subscription_id: 'sub_2003' }, context)
    await start.click()
    expect(await email.getByRole('alert').textContent()).toBe('This box is already active.')
  })
})

describeInBrowser('a custom button', (open) => {
  it('runs its action', async () => {
    const { page, email, shop, toast } = await open({}, {}, '#email=choices')
    await email.getByRole('button', { name: 'Save me a seat in March' }).press('Enter')
    await toast.getByText('Save me a seat in March: done.').waitFor()
    expect(await focusedName(page)).toBe('Save me a seat in MarchDone')
    expect(shop.store.actionsRun).toMatchObject([{ email: customer, action_id: 'register_webinar_march' }])
  })

  it('can be added for any action id, and reports an action that does not exist', async () => {
    const { page, email, shop } = await open()
    await page.getByLabel('Action id').fill('  no_such-action ')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await email.getByRole('button', { name: 'No such action' }).click()
    expect(await email.getByRole('alert').textContent()).toBe('This offer has ended.')
    expect(shop.store.actionsRun).toEqual([])
  })
})

describeInBrowser('an amount', (open) => {
  it('has the decimal places of the currency, such as three for KWD', async () => {
    const { page, email } = await open({ currency: 'KWD' })
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByText('Tuesday, 24 March').waitFor()
    const amounts = (await portal.locator('dl dd').allInnerTexts()).map((text) => text.replace('KWD\u00A0', ''))
    expect(amounts).toEqual(['69.850', '−5.000', '5.990', '5.188', '76.028'])
    const product = email.getByRole('listitem').filter({ hasText: 'Hand Grinder' }).first()
    await product.getByText('KWD 49.950').first().waitFor()
    await page.getByRole('button', { name: 'FIVEOFF' }).click()
    await email.getByText('KWD 5.000 off').first().waitFor()
    await product.getByText('KWD 44.950').first().waitFor()
    const shown = (await email.innerText()).match(/KWD\u00A0[\d,.]+/g) ?? []
    expect(shown.length).toBeGreaterThan(10)
    for (const amount of shown) expect(amount).toMatch(/^KWD\u00A0[\d,]+\.\d{3}$/)
  })
})
