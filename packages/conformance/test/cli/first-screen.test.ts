import { expect, it, onTestFinished, vi } from 'vitest'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastReportFile } from '../../src/cli/outputs.ts'
import { command, startServer } from './command.ts'
import { createPhpShop } from './php-shop.ts'

/** Maximum number of lines of the report in a terminal. */
const maxLines = 60

it('prints each cause of a PHP shop with five mistakes once, in at most 60 lines', { timeout: 120_000 }, async () => {
  // Other tests save their reports in the shared folder.
  vi.stubEnv('TMPDIR', await mkdtemp(join(tmpdir(), 'report-')))
  onTestFinished(() => void vi.unstubAllEnvs())
  // Skips a check that waits 11 s and has no other cause.
  const skip = ['--skip', 'retries.count-once-after-the-window']
  const url = await startServer(createPhpShop())
  const { code, out } = await command([url, ...skip])
  const lines = out.trim().split('\n')
  expect(lines.length).toBeLessThanOrEqual(maxLines)
  expect(lines[0]).toMatch(/^ *NOT CONFORMING {2}http/)
  expect(code).toBe(1)
  for (const cause of [
    'The key check returns 403. It must return 401.',
    'Numbers are sent as strings. Many database drivers return decimals as strings. Convert them to numbers.',
    '`error` is a string. It must be an object with `code` and `message`.',
    'PHP wrote an error message to the response. Set `display_errors=0` and check the log.',
    'A repeat of a successful request is rejected. Store each successful response, and return it for each repeat.',
  ]) {
    expect(out.split(cause), cause).toHaveLength(2)
  }
  const rows = (text: string) => text.match(/^ {6}requirement /gm)?.length ?? 0
  expect(out).toMatch(new RegExp(`and ${14 - rows(out)} more causes\\n`))
  const shown = await command(['show'])
  expect(rows(shown.out)).toBe(14)
  expect(shown.out).toContain('NOT CONFORMING')
  const file = join(tmpdir(), `storeport-conformance-127.0.0.1-${new URL(url).port}.json`)
  expect(lastReportFile()).toBe(file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(out).toMatch(/request +curl -i 'http/)
  expect(out).toMatch(/requirement +[A-Z]+-\d+ \(specification\): /)
})
