import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { missingProgram } from '@storeport/testing/missing-program'
import { noDebianPostgres, startDebianPostgres } from '@storeport/testing/start-debian-postgres'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runLine, startLine, userEnvironment } from '@storeport/testing/run-as-user'
import { nginx, startProxy } from './start-proxy.ts'

/*
 * Follows the guides from an empty folder to a shop behind nginx with TLS, and restores the shop after a crash. Uses
 * only the clone and the guides.
 */

vi.setConfig({ testTimeout: 1_800_000 })

const create = resolve('packages/create-storeport/bin/create-storeport.js')

interface Setup {
  readonly framework: string
  readonly store: string
  /** Starts the servers that the store needs, and returns settings for `.env`. */
  readonly prepare: () => Promise<Record<string, string>>
  /** Shell command that writes a backup. */
  readonly backUp?: string
  /** Shell command that replaces the database with the backup. */
  readonly restore?: string
}

const setups: readonly Setup[] = [
  {
    framework: 'node',
    store: 'sql',
    prepare: async () => ({}),
    backUp: 'npx storeport backup storeport-backup.db --store "$DATABASE_URL"',
    restore: 'mkdir replaced && mv store.db* replaced/ && cp storeport-backup.db store.db',
  },
  { framework: 'express', store: 'own', prepare: async () => ({}) },
  {
    framework: 'next',
    store: 'sql',
    prepare: async () => {
      const postgres = await startDebianPostgres()
      onTestFinished(postgres.stop)
      await postgres.createDatabases('shop', 'shop_tests')
      return { DATABASE_URL: postgres.urlOf('shop'), TEST_DATABASE_URL: postgres.urlOf('shop_tests') }
    },
    backUp: 'pg_dump --format=custom --file=storeport.dump "$DATABASE_URL"',
    restore: 'pg_restore --clean --if-exists --exit-on-error --no-owner --dbname="$DATABASE_URL" storeport.dump',
  },
]

describe.skipIf(missingProgram(nginx.program) ?? noDebianPostgres)('go-live guide', () => {
  it.each(setups)(
    'creates, serves and restores a $framework shop with the store $store',
    async ({ framework, store, prepare, backUp, restore }) => {
      const parent = mkdtempSync(join(tmpdir(), 'storeport-walk-'))
      onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
      const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
      const { DATABASE_URL, ...tests } = await prepare()
      const env = userEnvironment({ ...quiet, ...tests })
      const shop = join(parent, 'my-shop')
      /** Runs a shell command in the project and returns its output. */
      const run = async (line: string, more: Record<string, string> = {}, folder = shop) => {
        const { code, text } = await runLine(folder, line, { ...env, ...more })
        expect(code, `${line}:\n${text}`).toBe(0)
        return text
      }

      await run(`node ${create} my-shop --from ${resolve('.')} --framework ${framework} --store ${store}`, {}, parent)
      const generated = readFileSync(join(shop, '.env'), 'utf8')
      const own =
        DATABASE_URL === undefined ? generated : generated.replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${DATABASE_URL}`)
      writeFileSync(join(shop, '.env'), own)
      const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(own)?.[1] ?? ''
      await run('npm install')
      await run('npm test')
      // The build also checks the types of a Next.js project.
      if (framework === 'next') await run('npm run build', { NODE_ENV: 'production' })
      else await run('npm run types')
      const development = await startLine(shop, 'npm run dev', { ...env, PORT: '0' }, /listening|Ready/)
      await development.stop()

      const port = await findFreePort()
      const operated = { PORT: String(port), STOREPORT_TRUST_PROXY: '1' }
      const start = (more: Record<string, string> = {}) =>
        startLine(shop, 'npm start', { ...env, ...operated, ...more }, /listening|Ready|Local:/)
      let server = await start()
      onTestFinished(async () => void (await server.stop('SIGKILL')))
      const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
      const proxy = await startProxy(nginx, `http://127.0.0.1:${port}`, valueOf('STOREPORT_API_KEY'))
      // Explores one shop. Other tests explore the stores, and send the same requests to all frameworks.
      const options = framework === 'node' ? '' : ' -- --skip explore.follows-the-model'
      const proxied = { STOREPORT_URL: proxy.url, NODE_EXTRA_CA_CERTS: proxy.certificate }
      const check = () => run(`npm run check${options}`, proxied)
      // The first request creates the tables and the test data.
      expect(await proxy.call('/integration/upsells/products')).toMatchObject({ status: 200 })
      // Backs up before the checks, because the checks make changes that are possible only once per day.
      if (backUp !== undefined) await run(backUp, { DATABASE_URL: valueOf('DATABASE_URL') })
      expect(await check()).toMatch(/^ *READY /m)
      const settings = { ...env, PORT: '0', ...proxied }
      const playground = await startLine(shop, 'npm run playground', settings, /http:\/\/\S+token=\S+/)
      await playground.stop()

      await server.stop('SIGKILL')
      expect(await proxy.call('/integration/upsells/products')).toMatchObject({ status: 503 })
      if (restore !== undefined) await run(restore, { DATABASE_URL: valueOf('DATABASE_URL') })

      // Replaces the key without a change of the code, and checks the server on its own port.
      const newKey = { STOREPORT_API_KEY: 'the-new-key-of-the-tests' }
      server = await start({ ...newKey, STOREPORT_API_KEYS: valueOf('STOREPORT_API_KEY') })
      expect(await statusOf('/readyz')).toBe(200)
      expect(await run('npm run check -- --skip explore.follows-the-model', { ...operated, ...newKey })).toMatch(
        /^ *READY /m,
      )
      const old = '/integration/upsells/products'
      expect((await proxy.call(old)).status).toBe(200)
      await server.stop()
      server = await start(newKey)
      await statusOf('/readyz')
      expect((await proxy.call(old, { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(401)
      const log = await server.stop()
      // The proxy adds the address of its client to the header.
      expect(log).toMatch(/"method":"GET","status":401,"code":"unauthorized",.*"address":"127\.0\.0\.1"/)
    },
  )
})
