import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { apiKey, urlForTest } from './start-shop.ts'

const customer = 'subscription@example.com'

describeInBrowser('a double click', (open) => {
  it.each([{}, { retries: false } as const])(
    'creates one order when Send Now is clicked twice, with the options %j',
    async (integration) => {
      const { page, email, shop, toast } = await open({ integration })
      await email.getByRole('button', { name: 'Send Now' }).click()
      await page.getByRole('button', { name: 'Yes, ship it now' }).dblclick({ delay: 0 })
      await toast.getByText(/^Your box is on its way\./).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('[data-endpoint=sendNow]').count()).toBe(1)
      expect(shop.store.orders(customer)).toHaveLength(1)
    },
  )
})

describeInBrowser('an unavailable playground server', (open) => {
  it('is reported until available again, while the page content remains', async () => {
    const { page, email, wire, complaints } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    await page.context().setOffline(true)
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await page.getByText('The playground server is not responding. Start it again').waitFor()
    expect(await email.getByRole('alert').textContent()).toBe('The shop is not responding. Please try again.')
    await wire.getByRole('button', { name: /add-product no response/ }).click()
    await wire.getByText('It is unknown whether the request reached the shop').waitFor()
    await email.getByText('House Espresso, 500 g').first().waitFor()

    await page.getByRole('button', { name: 'New on the shelf' }).click()
    await email.getByRole('button', { name: 'Try again' }).waitFor()
    await page.context().setOffline(false)
    await email.getByRole('button', { name: 'Try again' }).click()
    await email.getByRole('button', { name: /^Add .*House Espresso, 500 g/ }).waitFor()
    expect(await page.getByText('Start it again').count()).toBe(0)
    expect(complaints.splice(0).every((text) => text.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true)
  })

  it('is reported when the page loads', async () => {
    const { page, complaints } = await open()
    await page.route('**/playground/config', (route) => route.abort())
    await page.reload()
    await page.getByRole('heading', { name: 'The playground cannot start' }).waitFor()
    await page.unroute('**/playground/config')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('article').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
  })
})

describeInBrowser('an unavailable shop', (open) => {
  it('is distinguished from an unavailable playground server', async () => {
    const baseUrl = await urlForTest((_req, res) => res.destroy())
    const { email, wire } = await open({ playground: { target: { baseUrl, apiKey } } })
    await email.getByText('The shop is not responding. Please try again.').first().waitFor()
    await wire.getByRole('button', { name: /upsells\/products no response/ }).click()
    await wire.getByText('The shop did not respond: connection failed (UND_ERR_SOCKET).').waitFor()
  })
})

describeInBrowser('the page', (open) => {
  it('copies a curl command without the API key', async () => {
    const { page, email, wire } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await wire.getByRole('button', { name: /add-product 200/ }).click()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await wire.getByRole('button', { name: 'Copy as curl' }).click()
    await wire.getByRole('button', { name: 'Copied' }).waitFor()
    const copied: string = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain('-H "X-Integration-API-Key: $STOREPORT_API_KEY"')
    expect(copied + (await page.content())).not.toContain(apiKey)
  })

  it("displays the shop's strings as text, never as markup", async () => {
    const title = '<img src=x onerror="document.title=1"><b>Bold</b>'
    const { page, email } = await open({
      store: (store) => ({
        ...store,
        listProducts: async () => ({
          products: [{ id: 'a', title, price: 1, images: [], description: '<script>document.title=2</script>' }],
        }),
      }),
    })
    await email.getByRole('heading', { name: title }).waitFor()
    await email.getByText('<script>document.title=2</script>').waitFor()
    expect(await email.locator('b').count()).toBe(0)
    expect(await page.title()).toBe('Playground · StorePort')
  })
})
