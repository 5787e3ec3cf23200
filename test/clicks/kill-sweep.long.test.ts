export * from './kill-sweep.slow.test.ts'
