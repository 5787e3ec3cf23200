import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frameworks, offeredBy, type RunOptions, sendByHttp } from '@storeport/conformance'
import { findFreePort } from '@storeport/testing/find-free-port'
import { keys } from '@storeport/testing/keys'
import { startLine, userEnvironment } from '@storeport/testing/run-as-user'

const folder = 'examples/languages'

/** Each language's source, its HTTP server as a value of `--framework`, and the command that starts it. */
export const shops = {
  php: {
    source: 'php/shop.php',
    framework: 'php',
    start: (file: string, port: number) => `php -S 127.0.0.1:${port} ${file}`,
  },
  python: { source: 'python/shop.py', framework: '', start: (file: string) => `python3 ${file}` },
} as const

export type Language = keyof typeof shops

/** The texts of a shop. */
export interface Shop {
  readonly source: string
  readonly schema: string
}

const schema = readFileSync(join(folder, 'schema.sql'), 'utf8')

export function readShop(language: Language): Shop {
  return { source: readFileSync(join(folder, shops[language].source), 'utf8'), schema }
}

const tables = [...schema.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name)
const clear = `BEGIN IMMEDIATE; ${tables.map((name) => `DELETE FROM ${name};`).join(' ')}`
const data = schema.slice(schema.indexOf('INSERT INTO customers'))

/** Starts a shop with a new database. Its data is reset before each check. */
export async function startShop(language: Language, shop: Shop) {
  const temporary = mkdtempSync(join(tmpdir(), 'storeport-language-'))
  const database = join(temporary, 'shop.db')
  const runSql = (sql: string) => execFileSync('sqlite3', ['-cmd', '.timeout 10000', database], { input: sql })
  runSql(shop.schema)
  const file = join(temporary, shops[language].source.replace(/.*\//, ''))
  writeFileSync(file, shop.source)
  const more = { DATABASE: database, STOREPORT_API_KEY: keys.first, PORT: '0', PHP_CLI_SERVER_WORKERS: '4' }
  const line = shops[language].start(file, await findFreePort())
  const { found: url, stop } = await startLine('.', line, userEnvironment(more), /http:\/\/127\.0\.0\.1:[1-9]\d*/)
  const settings: RunOptions = {
    send: sendByHttp(url),
    apiKey: keys.first,
    ...frameworks[shops[language].framework],
    timeoutMs: 5000,
  }
  return {
    options: {
      ...settings,
      offered: await offeredBy(settings),
      reset: async () => void runSql(clear + data),
    } satisfies RunOptions,
    stop: async () => {
      await stop()
      rmSync(temporary, { recursive: true })
    },
  }
}
