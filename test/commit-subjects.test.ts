import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const repository = mkdtempSync(join(tmpdir(), 'storeport-commits-'))
const identity = ['-c', 'user.name=StorePort', '-c', 'user.email=storeport@example.com', '-c', 'commit.gpgsign=false']

function commit(subject: string): string {
  execFileSync('git', [...identity, 'commit', '--quiet', '--allow-empty', '-m', subject], { cwd: repository })
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' }).trim()
}

function check(start: string) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [resolve('node_modules/tsx/dist/cli.mjs'), resolve('scripts/commit-subjects.ts'), start],
    { cwd: repository, encoding: 'utf8' },
  )
  return { status, stdout }
}

beforeAll(() => execFileSync('git', ['init', '--quiet', repository]))
afterAll(() => rmSync(repository, { recursive: true }))

it('rejects long subjects and subjects without an area in commits after the given commit', () => {
  const start = commit('A subject without an area from before the rule')
  const long = `core: ${'x'.repeat(67)}`
  commit(`core: ${'x'.repeat(66)}`)
  expect(check(start)).toEqual({ status: 0, stdout: 'commit subjects: 1 read, 0 rejected\n' })
  commit(long)
  commit('Reject a late click')
  const { status, stdout } = check(start)
  expect(status).toBe(1)
  expect(stdout).toContain(long)
  expect(stdout).toContain('Reject a late click')
  expect(stdout).toContain('commit subjects: 3 read, 2 rejected')
})

it('accepts a checkout without the commit history', () => {
  expect(check('0123456789012345678901234567890123456789').status).toBe(0)
})
