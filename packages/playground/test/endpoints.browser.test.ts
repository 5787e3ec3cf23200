import { endpointNames, type EndpointName } from '@storeport/core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'

describeInBrowser('an unavailable endpoint', (open) => {
  it('hides its widgets and buttons while turned off', async () => {
    const { page, email, wire } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).waitFor()
    await wire.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    const offer = (name: EndpointName) => wire.getByRole('switch', { name: `Offer ${name}` })
    const part = (text: string) => wire.getByRole('listitem').filter({ hasText: text })
    const portalButtons = async () => {
      const portal = email.getByRole('region', { name: 'Your subscription' })
      return (await portal.getByRole('button').allTextContents()).toSorted()
    }

    await expect.poll(portalButtons).toEqual(['Delay Subscription', 'Send Now', 'Swap', 'Swap'])
    await offer('delaySubscription').uncheck()
    await expect.poll(portalButtons).toEqual(['Send Now', 'Swap', 'Swap'])
    await part('Delay Subscription button: hidden').waitFor()
    for (const name of ['sendNow', 'swapProduct'] as const) await offer(name).uncheck()
    await expect.poll(portalButtons).toEqual([])
    for (const name of ['delaySubscription', 'sendNow', 'swapProduct'] as const) await offer(name).check()

    // A swap and the product cards also require the product list.
    await offer('listProducts').uncheck()
    await expect.poll(portalButtons).toEqual(['Delay Subscription', 'Send Now'])
    await email.getByText('The email platform hides this part. It requires listProducts.').waitFor()
    await offer('listProducts').check()

    await email.getByLabel('Discount code').waitFor()
    await offer('getDiscount').uncheck()
    expect(await email.getByLabel('Discount code').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'TEST10' }).count()).toBe(0)

    await offer('undoAddProduct').uncheck()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByText('Added', { exact: true }).waitFor()
    expect(await email.getByRole('button', { name: /Undo/ }).count()).toBe(0)

    await offer('getSubscription').uncheck()
    await email.getByText('The email platform hides this part. It requires getSubscription.').waitFor()
    expect(await email.getByRole('region', { name: 'Your subscription' }).count()).toBe(0)

    await offer('reactivateSubscription').uncheck()
    await page.getByRole('button', { name: 'We saved your spot' }).click()
    await email.getByText('The email platform hides this part. It requires reactivateSubscription.').waitFor()
    await offer('runCustomAction').uncheck()
    await page.getByRole('button', { name: 'Two minutes' }).click()
    await email.getByText('The email platform hides this part. It requires runCustomAction.').waitFor()
  })

  it('receives no requests while turned off', async () => {
    const { page, wire } = await open()
    await wire.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    for (const name of endpointNames) await wire.getByRole('switch', { name: `Offer ${name}` }).uncheck()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    for (const subject of ['New on the shelf', 'We saved your spot', 'Two minutes', 'Your next box']) {
      await page.getByRole('button', { name: subject }).click()
      await page.getByText('The email platform hides this part').first().waitFor()
    }
    expect(requested.filter((url) => url.endsWith('/playground/call'))).toEqual([])
  })

  it('cannot be turned on if not implemented by the shop', async () => {
    const { page, email, wire } = await open({
      store: ({ getSubscription, sendNow, listCancelledSubscriptions }) => ({
        getSubscription,
        sendNow,
        listCancelledSubscriptions,
      }),
    })
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByRole('button', { name: 'Send Now' }).waitFor()
    expect(await portal.getByRole('button').count()).toBe(1)
    await email.getByText('The email platform hides this part. It requires listProducts, addProduct.').waitFor()
    await wire.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    const missing = wire.getByRole('switch', { name: 'Offer delaySubscription' })
    expect(await missing.isDisabled()).toBe(true)
    expect(await missing.isChecked()).toBe(false)
    expect(await page.getByText('The shop does not implement this endpoint.').count()).toBe(8)
  })
})
