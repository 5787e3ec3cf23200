export * from './soak.slow.test.ts'
