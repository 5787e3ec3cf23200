import { spawnSync } from 'node:child_process'
import { installNode, otherNodeVersions } from '@storeport/testing/install-node'

/** Runs selected tests on the other supported Node versions. Arguments replace the default selection of tests. */
const wire = ['test/mounts/wire-layer.', 'test/mounts/next-base-path.']
/** All conformance checks on the Node mount with SQLite, and tests of the `pg` driver in two processes. */
const stores = ['test/matrix/sqlite.']
const flags = 'packages/host/test/limit-heap'
const tests = [...wire, ...stores, flags]

/** Matches the last line that a test run prints. */
const closingLine = /^\d+ passed, \d+ failed, \d+ skipped$/m

const named = process.argv.slice(2)
for (const version of otherNodeVersions) {
  const node = installNode(version)
  const started = performance.now()
  const options = ['node_modules/vitest/vitest.mjs', 'run', '--typecheck.enabled=false']
  const { status, stdout, stderr } = spawnSync(node, [...options, ...(named.length > 0 ? named : tests)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, NO_COLOR: '1' },
  })
  const counts = closingLine.exec(stdout)?.[0] ?? 'no tests ran'
  // Removes the counts, because the next line prints them again.
  if (status !== 0) console.log(stdout.replace(closingLine, '') + stderr)
  console.log(`node v${version}: ${counts} (${Math.round((performance.now() - started) / 1000)} s)`)
  if (status !== 0 || !/^[1-9]\d* passed, 0 failed/.test(counts)) process.exitCode = 1
}
