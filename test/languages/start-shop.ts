import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { frameworks, offeredBy, type RunOptions, sendByHttp } from '@storeport/conformance'
import { findFreePort } from '@storeport/testing/find-free-port'
import { keys } from '@storeport/testing/keys'
import { makeFolder } from '@storeport/testing/make-folder'
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

/** Starts a shop with a new database. `clock` sets its system clock; see `fakeClock`. */
export async function startShop(language: Language, clock: Readonly<Record<string, string>> = {}) {
  const database = join(await makeFolder('language'), 'shop.db')
  const env = { ...process.env, ...clock }
  // PHP binds the libraries of its extensions to the C library, unless they are loaded before.
  const { LD_PRELOAD } = clock
  const preload = LD_PRELOAD === undefined ? {} : { LD_PRELOAD: `${LD_PRELOAD} libsqlite3.so.0` }
  execFileSync('sqlite3', [database], { input: readFileSync(join(folder, 'schema.sql')), env })
  const more = {
    DATABASE: database,
    STOREPORT_API_KEY: keys.first,
    PORT: '0',
    PHP_CLI_SERVER_WORKERS: '4',
    ...clock,
    ...preload,
  }
  const line = shops[language].start(join(folder, shops[language].source), await findFreePort())
  const { found: url, stop } = await startLine('.', line, userEnvironment(more), /http:\/\/127\.0\.0\.1:[1-9]\d*/)
  const settings: RunOptions = {
    send: sendByHttp(url),
    apiKey: keys.first,
    ...frameworks[shops[language].framework],
    timeoutMs: 5000,
  }
  return { options: { ...settings, offered: await offeredBy(settings) }, stop: async () => void (await stop()) }
}
