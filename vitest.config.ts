import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import ClosingLineReporter from './test/closing-line-reporter.ts'
import { LongestFirst } from './test/longest-first.ts'

const tests = ['packages/*/test/**', 'test/**']

/** Tests that take long, or that need programs other than Node; see CONTRIBUTING. */
const slow = ['slow', 'browser'].flatMap((kind) => tests.map((folder) => `${folder}/*.${kind}.test.ts`))

/** Tests with the complete numbers of days and rounds, for `npm run test:long`. */
const long = tests.map((folder) => `${folder}/*.long.test.ts`)

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    // The timeouts are long enough for a slow machine, so only a hanging test exceeds them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    // Tests spend half of their time waiting for sockets, databases and processes, so each processor runs two workers.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ClosingLineReporter()],
    // The folder contains the database server, so the folder is created first and removed last.
    globalSetup: ['./testing/src/temporary-folder.ts', './testing/src/postgres-on-demand.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          // With isolation, loading the modules again for each file would take a third of the time.
          isolate: false,
          setupFiles: ['./testing/src/restore-globals.ts'],
          include: tests.map((folder) => `${folder}/*.test.ts`),
          exclude: ['**/node_modules/**', ...slow, ...long],
        },
      },
      { extends: true, test: { name: 'slow', include: slow, exclude: ['**/node_modules/**'] } },
      {
        extends: true,
        test: { name: 'long', include: long, exclude: ['**/node_modules/**'], env: { STOREPORT_NIGHTLY: '1' } },
      },
      {
        extends: true,
        test: {
          name: 'types',
          typecheck: {
            enabled: true,
            only: true,
            // `npm run types` reports the errors in source files.
            ignoreSourceErrors: true,
            include: tests.map((folder) => `${folder}/*.test-d.ts`),
            tsconfig: './test/type-tests.tsconfig.json',
          },
        },
      },
    ],
  },
})
