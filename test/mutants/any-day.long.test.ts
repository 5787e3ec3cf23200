export * from './any-day.slow.test.ts'
