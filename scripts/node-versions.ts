import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Runs the mounts' tests with the other versions of Node that are supported; names on the command line replace the tests. */
const versions = ['22.23.3', '24.21.0']
const mounts = [
  'client',
  'express',
  'fastify',
  'fetch',
  'hono',
  'next',
  'next-base-path',
  'node',
  'node-without-socket',
]
const tests = [...mounts.map((name) => `test/mounts/${name}.`), 'test/matrix']

const named = process.argv.slice(2)
for (const version of versions) {
  const node = installedNode(version)
  const started = performance.now()
  const options = ['node_modules/vitest/vitest.mjs', 'run', '--typecheck.enabled=false']
  const { status, stdout, stderr } = spawnSync(node, [...options, ...(named.length > 0 ? named : tests)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, NO_COLOR: '1' },
  })
  const counts = /^\d+ passed, \d+ failed, \d+ skipped$/m.exec(stdout)?.[0] ?? 'no tests were counted'
  if (status !== 0) console.log(stdout + stderr)
  console.log(`node v${version}: ${counts} (${Math.round((performance.now() - started) / 1000)} s)`)
  if (status !== 0 || !/^[1-9]\d* passed, 0 failed/.test(counts)) process.exitCode = 1
}

/**
 * The program of a version of Node, out of the package that the npm package `node` installs by a script.
 *
 * It is in a folder of its own: in the repository's node_modules/.bin it would take the place of the system's `node`.
 */
function installedNode(version: string): string {
  const folder = resolve('node_modules/.cache', `node-${version}`)
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const words = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--prefer-offline']
  const { status } = spawnSync('npm', [...words, `${name}@${version}`], { stdio: 'inherit' })
  if (status !== 0 || !existsSync(program)) throw new Error(`${name}@${version} could not be installed`)
  return program
}
