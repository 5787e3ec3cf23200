import { spawnSync } from 'node:child_process'
import { installNode, otherNodeVersions } from '@storeport/testing/install-node'

/** Runs the tests of the mounts, of the databases and of V8's flags with the other versions of Node that are supported; names on the command line replace the tests. */
const mounts = [
  'client',
  'express',
  'express-within',
  'fastify',
  'fetch',
  'hono',
  'next',
  'next-base-path',
  'node',
  'node-without-socket',
]
const flags = 'packages/host/test/limit-heap'
/** Every check over each driver of a database; every mount over every store would say nothing new of another Node. */
const stores = ['test/matrix/sqlite.test', 'test/matrix/two-hosts']
const tests = [...mounts.map((name) => `test/mounts/${name}.`), ...stores, flags]

/** The line that ends the output of a run. */
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
  const counts = closingLine.exec(stdout)?.[0] ?? 'no tests were counted'
  // Without the counts, which the next line says: whoever adds them up would have them twice.
  if (status !== 0) console.log(stdout.replace(closingLine, '') + stderr)
  console.log(`node v${version}: ${counts} (${Math.round((performance.now() - started) / 1000)} s)`)
  if (status !== 0 || !/^[1-9]\d* passed, 0 failed/.test(counts)) process.exitCode = 1
}
