import { execFileSync, spawnSync } from 'node:child_process'

/*
 * Runs the quick tests that import a file changed since `main`. Skips a large suite if the packages that it tests did
 * not change. `npm test` runs all tests.
 */

/** Suites that import most of the code, with the packages that each suite tests. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  'test/mounts': ['core', 'node', 'express', 'fastify', 'next'],
  'test/mutants': ['core', 'conformance'],
  'test/stripe': ['store-stripe'],
  'packages/conformance/test': ['core', 'conformance'],
  'packages/playground/test': ['core', 'playground'],
}

const git = (...words: readonly string[]) =>
  execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)
const changed = [...git('diff', '--name-only', 'main'), ...git('ls-files', '--others', '--exclude-standard')]
const isShared = (file: string) => /^(test|testing)\//.test(file)
const leftOut = Object.entries(subjects)
  .filter(
    ([, names]) =>
      !changed.some((file) => isShared(file) || names.some((name) => file.startsWith(`packages/${name}/`))),
  )
  .map(([folder]) => `${folder}/**`)

const words = [
  'vitest',
  'run',
  '--project',
  'quick',
  '--project',
  'types',
  '--changed',
  'main',
  ...process.argv.slice(2),
]
// Does not set an empty variable, because an empty pattern would exclude every test.
const env = leftOut.length > 0 ? { ...process.env, STOREPORT_LEFT_OUT: leftOut.join() } : process.env
process.exitCode = spawnSync('npx', words, { stdio: 'inherit', env }).status ?? 1
