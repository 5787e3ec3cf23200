import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'

/** What the seed costs in a currency: a subscription's totals, a card, a fixed discount and a percentage of one. */
const currencies = [
  {
    currency: 'JPY',
    form: /^¥[\d,]+$/,
    totals: ['¥6,985', '−¥500', '¥599', '¥519', '¥7,603'],
    card: '¥4,995',
    fixed: '¥500',
    lowered: '¥4,495',
  },
  {
    currency: 'KWD',
    form: /^KWD\u00A0[\d,]+\.\d{3}$/,
    totals: ['KWD 69.850', '−KWD 5.000', 'KWD 5.990', 'KWD 5.188', 'KWD 76.028'],
    card: 'KWD 49.950',
    fixed: 'KWD 5.000',
    lowered: 'KWD 44.950',
  },
]

describeInBrowser('amounts', (open) => {
  it.each(currencies)('have the decimals of $currency', async ({ currency, form, totals, card, fixed, lowered }) => {
    const { page, email } = await open({ currency })
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByText('Tuesday, 24 March').waitFor()
    const amounts = await portal.locator('dl dd').allInnerTexts()
    expect(amounts.map((text) => text.replaceAll('\u00A0', ' '))).toEqual(totals)
    const product = email.getByRole('listitem').filter({ hasText: 'Hand Grinder' }).first()
    await product.getByText(card).first().waitFor()
    await page.getByRole('button', { name: 'FIVEOFF' }).click()
    await email.getByText(`${fixed} off`).first().waitFor()
    await product.getByText(lowered).first().waitFor()
    const shown = (await email.innerText()).match(/(?:KWD\u00A0|¥)[\d,.]+/g) ?? []
    expect(shown.length).toBeGreaterThan(10)
    for (const amount of shown) expect(amount).toMatch(form)
  })
})
