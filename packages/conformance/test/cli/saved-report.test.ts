import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lastReportFile } from '../../src/cli/outputs.ts'
import type { Report } from '../../src/index.ts'
import { exitCodeOf } from '../../src/report/create-report.ts'
import { command, startShop } from './command.ts'

const folder = await mkdtemp(join(tmpdir(), 'conformance-'))

async function write(name: string, data: unknown): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, typeof data === 'string' ? data : JSON.stringify(data))
  return file
}

const failing = () => startShop({ ...createMemoryStore(), getDiscount: () => Promise.reject(new Error('x')) })

/** Runs the checks of two endpoints and returns the path of the JSON report. */
async function reportFile(name: string, url: string): Promise<string> {
  const file = join(folder, name)
  await command([url, '--only', 'getDiscount,listCancelledSubscriptions', '--json', file])
  return file
}

async function failuresIn(file: string): Promise<Record<string, string>> {
  const { groups }: Report = JSON.parse(await readFile(file, 'utf8'))
  const ids = groups.flatMap(({ results }) => results).flatMap(({ finding }) => finding?.requirement ?? [])
  return Object.fromEntries(ids.map((id) => [id, 'known']))
}

describe('--baseline', () => {
  const runWith = async (failures: object) => {
    const baseline = await write('baseline.json', failures)
    return command([await failing(), '--only', 'getDiscount', '--baseline', baseline])
  }

  it('accepts only listed failures, and rejects a listed requirement that holds', async () => {
    const failures = await failuresIn(await reportFile('failing.json', await failing()))
    const known = await runWith(failures)
    expect(known.code).toBe(0)
    expect(known.out).toMatch(/ Known failures of the baseline: .*DISCOUNT-1/)
    const { 'DISCOUNT-1': _, ...others } = failures
    const added = await runWith(others)
    expect(added.code).toBe(1)
    expect(added.out).toContain('Failures that the baseline does not list: DISCOUNT-1.')
    const fixed = await runWith({ ...failures, 'AUTH-1': 'fixed by now' })
    expect(fixed.code).toBe(1)
    expect(fixed.out).toContain('The baseline lists requirements that hold now. Remove AUTH-1 from it.')
    // A requirement that no selected check tests may still fail.
    expect((await runWith({ ...failures, 'SEND-1': 'known' })).code).toBe(0)
  })

  it.each([
    ['NOT CONFORMING', [], [], 0],
    ['NOT CONFORMING', ['A-1'], [], 1],
    ['CONFORMS, NOT READY', ['A-1'], [], 4],
    ['READY', [], ['A-1'], 1],
    ['INCOMPLETE', [], [], 3],
    ['NOT CHECKED', [], ['A-1'], 2],
  ] as const)('with the verdict %s, added %j and fixed %j exits with %i', (verdict, added, fixed, code) => {
    const counts = { passed: 1, failed: 1, warnings: 0, skipped: 0 }
    expect(exitCodeOf({ verdict, counts, baseline: { known: [], added, fixed } })).toBe(code)
    if (code === 0) expect(exitCodeOf({ verdict, counts, baseline: { known: [], added, fixed }, problem: 'x' })).toBe(1)
  })

  it.each([
    ['an unreadable file', undefined, 'cannot be read. Create it, such as { "RETRY-1"'],
    ['other content', '[]', 'is not a baseline. Write it as { "RETRY-1"'],
    ['an unknown id', { 'X-1': '' }, 'lists "X-1", which is not the id of a requirement'],
  ])('rejects %s with one sentence', async (name, data, message) => {
    const file = data === undefined ? join(folder, 'none.json') : await write(`${name}.json`, data)
    const { code, err } = await command(['http://127.0.0.1:1', '--baseline', file])
    expect(err).toContain(message)
    expect(err.trim().split('\n')).toHaveLength(2)
    expect(code).toBe(2)
  })
})

describe('show', () => {
  it('prints all causes of the last report, which only the user can read', async () => {
    // Other tests save their reports in the shared folder.
    vi.stubEnv('TMPDIR', await mkdtemp(join(folder, 'last-')))
    onTestFinished(() => void vi.unstubAllEnvs())
    const url = await failing()
    await command([url, '--only', 'getDiscount'])
    const file = join(tmpdir(), `storeport-conformance-127.0.0.1-${new URL(url).port}.json`)
    expect(lastReportFile()).toBe(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { out } = await command(['show'])
    expect(out).toContain(`${url}/integration`)
    expect(out).toContain('requirement  DISCOUNT-1 (specification): ')
  })

  it('prints a JSON report without a run, and writes it as JUnit', async () => {
    const report = await reportFile('shown.json', await failing())
    const junit = join(folder, 'shown.xml')
    const { code, out } = await command(['show', report, '--junit', junit])
    expect(code).toBe(0)
    expect(out).toMatch(/ 1\. [^]*\n {6}requirement +DISCOUNT-1 /)
    expect(await readFile(junit, 'utf8')).toContain('DISCOUNT-1')
  })

  it.each([
    ['a missing file', undefined, 'cannot be read. Use a report'],
    ['a report of another version', { kit: '@storeport/conformance 0.0.1', groups: [] }, 'is not a report of'],
  ])('rejects %s with one sentence', async (_what, data, message) => {
    const file = data === undefined ? join(folder, 'none.json') : await write('other.json', data)
    const { code, err } = await command(['show', file])
    expect(err).toContain(message)
    expect(code).toBe(2)
  })
})
