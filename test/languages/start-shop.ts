import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frameworks, offeredBy, type RunOptions, sendByHttp } from '@storeport/conformance'
import { findFreePort } from '@storeport/testing/find-free-port'
import { keys } from '@storeport/testing/keys'
import { startLine, userEnvironment } from '@storeport/testing/run-as-user'

const folder = 'examples/languages'

/** Each language's source, its HTTP server as a value of `--framework`, and the command that starts it. */
const shops = {
  php: {
    source: 'php/shop.php',
    framework: 'php',
    start: (file: string, port: number) => `php -S 127.0.0.1:${port} ${file}`,
  },
  python: { source: 'python/shop.py', framework: '', start: (file: string) => `python3 ${file}` },
} as const

export type Language = keyof typeof shops

/** Starts a shop with a new database. `clock` sets its system clock; see `FakeClock`. */
export async function startShop(language: Language, clock: Readonly<Record<string, string>> = {}) {
  const temporary = mkdtempSync(join(tmpdir(), 'storeport-language-'))
  const database = join(temporary, 'shop.db')
  const env = { ...process.env, ...clock }
  execFileSync('sqlite3', [database], { input: readFileSync(join(folder, 'schema.sql')), env })
  const more = { DATABASE: database, STOREPORT_API_KEY: keys.first, PORT: '0', PHP_CLI_SERVER_WORKERS: '4', ...clock }
  const line = shops[language].start(join(folder, shops[language].source), await findFreePort())
  const { found: url, stop } = await startLine('.', line, userEnvironment(more), /http:\/\/127\.0\.0\.1:[1-9]\d*/)
  const settings: RunOptions = {
    send: sendByHttp(url),
    apiKey: keys.first,
    ...frameworks[shops[language].framework],
    timeoutMs: 5000,
  }
  return {
    options: { ...settings, offered: await offeredBy(settings) },
    stop: async () => {
      await stop()
      rmSync(temporary, { recursive: true })
    },
  }
}
