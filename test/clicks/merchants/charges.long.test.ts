export * from './charges.slow.test.ts'
