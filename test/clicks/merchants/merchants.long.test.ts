export * from './merchants.slow.test.ts'
