import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import ClosingLineReporter from './test/closing-line-reporter.ts'

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    // What a test waits for comes, on whatever machine: only a hang runs into these.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    exclude: ['**/node_modules/**'],
    // Much of the time is spent waiting for processes that the tests start.
    maxWorkers: availableParallelism(),
    reporters: ['default', new ClosingLineReporter()],
    typecheck: {
      enabled: true,
      // `npm run types` looks at the sources.
      ignoreSourceErrors: true,
      include: ['packages/*/test/**/*.test-d.ts', 'test/**/*.test-d.ts'],
      tsconfig: './tsconfig.json',
    },
  },
})
