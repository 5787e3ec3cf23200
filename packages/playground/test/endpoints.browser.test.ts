import { endpointNames, type EndpointName } from '@storeport/core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'

/** Endpoints that are turned off, the buttons of the subscription that remain, and the open email. */
const cases: readonly { off: readonly EndpointName[]; remaining?: readonly string[]; fragment?: string }[] = [
  { off: ['delaySubscription'], remaining: ['Send Now', 'Swap', 'Swap'] },
  { off: ['delaySubscription', 'sendNow', 'swapProduct'] },
  // A swap and the product cards also require the product list.
  { off: ['listProducts'], remaining: ['Delay Subscription', 'Send Now'] },
  { off: ['getSubscription'] },
  { off: ['undoAddProduct', 'getDiscount'], remaining: ['Delay Subscription', 'Send Now', 'Swap', 'Swap'] },
  { off: ['reactivateSubscription'], fragment: '#as=cancelled@example.com&email=comeback' },
  { off: ['runCustomAction'], fragment: '#email=choices' },
]

/** Endpoints without which the email platform hides a widget completely. */
const required = new Set<EndpointName>(['getSubscription', 'listProducts', 'reactivateSubscription', 'runCustomAction'])

describeInBrowser('an unavailable endpoint', (open) => {
  it.each(cases)('hides its widgets and buttons while turned off: $off', async ({ off, remaining = [], fragment }) => {
    const { page, email, inspector } = await open({}, {}, fragment)
    await inspector.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    const portal = email.getByRole('region', { name: 'Your subscription' }).getByRole('button')
    const turn = async (isOn: boolean) => {
      for (const name of off) await inspector.getByRole('switch', { name: `Offer ${name}` }).setChecked(isOn)
    }
    await email.getByRole('button').first().waitFor()
    await turn(false)
    await expect.poll(async () => (await portal.allTextContents()).toSorted()).toEqual(remaining)
    const notice = email.getByText('The email platform hides this part. It requires')
    expect(await notice.count()).toBe(off.some((name) => required.has(name)) ? 1 : 0)
    const codes = email.getByLabel('Discount code').or(page.getByRole('button', { name: 'TEST10' }))
    if (off.includes('getDiscount')) expect(await codes.count()).toBe(0)
    if (off.includes('undoAddProduct')) {
      await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
      await email.getByText('Added', { exact: true }).waitFor()
      expect(await email.getByRole('button', { name: /Undo/ }).count()).toBe(0)
    }
    await inspector.getByRole('listitem').filter({ hasText: ': hidden' }).first().waitFor()
    await turn(true)
    await expect.poll(() => notice.count()).toBe(0)
  })

  it('receives no requests while turned off', async () => {
    const { page, inspector } = await open()
    await inspector.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    for (const name of endpointNames) await inspector.getByRole('switch', { name: `Offer ${name}` }).uncheck()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    for (const subject of ['New on the shelf', 'We saved your spot', 'Two minutes', 'Your next box']) {
      await page.getByRole('button', { name: subject }).click()
      await page.getByText('The email platform hides this part').first().waitFor()
    }
    expect(requested.filter((url) => url.endsWith('/playground/call'))).toEqual([])
  })

  it('cannot be turned on if not implemented by the shop', async () => {
    const { page, inspector } = await open({ store: ({ getSubscription, sendNow }) => ({ getSubscription, sendNow }) })
    await page.getByText('It requires listProducts, addProduct.').waitFor()
    await inspector.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    const missing = inspector.getByRole('switch', { name: 'Offer delaySubscription' })
    expect([await missing.isDisabled(), await missing.isChecked()]).toEqual([true, false])
    expect(await page.getByText('The shop does not implement this endpoint.').count()).toBe(9)
  })
})
