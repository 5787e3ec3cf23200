import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { token } from './start-shop.ts'

describeInBrowser('the token', (open) => {
  it('signs in all tabs of one browser, but no other browser', async () => {
    const { page, shop, complaints } = await open()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ name: 'storeport-test', httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(await page.evaluate('document.cookie')).toBe('')
    const tab = await page.context().newPage()
    await tab.goto(shop.url)
    await tab.getByRole('article').waitFor()

    await page.context().clearCookies()
    const response = await tab.goto(shop.url)
    expect(response?.status()).toBe(403)
    await tab.getByRole('heading', { name: 'This playground requires a token' }).waitFor()
    // A page that is already open reports why its requests are rejected.
    await page.getByRole('button', { name: 'New on the shelf' }).click()
    await page.getByRole('alert').filter({ hasText: 'You are signed out.' }).waitFor()
    expect(complaints.splice(0).every((text) => text.includes('403'))).toBe(true)
  })

  it.each([
    ['a token', (_url: string) => token],
    ['a URL with the token', (url: string) => `${url}/?token=${token}#as=another@example.com`],
  ])('signs in again if the user enters %s, and preserves the view', async (_, createInput) => {
    const { page, email, shop, complaints } = await open()
    await page.getByRole('radio', { name: /another@/ }).check()
    await email.getByText('Tuesday, 17 March').first().waitFor()
    const url = page.url()
    await page.context().clearCookies()
    await page.getByRole('navigation', { name: 'Inbox' }).getByRole('button').nth(1).click()
    const field = page.getByLabel('URL with the token, or only the token')
    await field.fill('a-token-of-somebody-else')
    await field.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Not signed in: ' }).waitFor()
    await field.fill(createInput(shop.url))
    await field.press('Enter')
    await page.locator('.toast').filter({ hasText: 'Signed in again.' }).waitFor()
    expect(await field.count()).toBe(0)
    await email.getByRole('button', { name: /^Add / }).first().waitFor()
    expect(page.url()).toBe(`${url}&email=shelf`)
    expect(await page.content()).not.toContain(token)
    expect(complaints.splice(0).every((text) => text.includes('403'))).toBe(true)
  })
})
