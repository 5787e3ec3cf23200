import { checkShop } from '@storeport/testing/stores/check-shop'
import { expect, it, onTestFinished } from 'vitest'
import { type Language, startShop } from './start-shop.ts'

it.each<Language>(['php', 'python'])('the shop in %s is READY', { timeout: 900_000 }, async (language) => {
  const { options, stop } = await startShop(language)
  onTestFinished(stop)
  expect(await checkShop(options)).toMatchObject({ findings: [], verdict: 'READY' })
})
