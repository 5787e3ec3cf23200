export * from './correct-shop.slow.test.ts'
