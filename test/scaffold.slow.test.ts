import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { collectReport, readProfile, runChecks, sendByHttp } from '@storeport/conformance'
import { type Framework, frameworkNames, projectFiles, type Store } from 'create-storeport'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages } from '@storeport/testing/published-packages'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { express5Mount, fastifyMount, honoMount } from './mounts/mounts.ts'
import type { MountKind } from '@storeport/testing/stores/mount-kind'
import { createNextApp } from './mounts/next.ts'
import { nodeMount } from './mounts/node.ts'
import { runLine, startLine, userEnvironment } from '@storeport/testing/run-as-user'

const combinations = frameworkNames.flatMap((framework) =>
  (['own', 'sql'] as const).map((store) => ({ framework, store })),
)
/**
 * Stores of projects with their own tables. One framework is enough, because the files of these stores are the same for
 * all frameworks.
 */
const tableStores = ['drizzle', 'prisma'] as const
const created = [
  ...combinations,
  ...[...tableStores, 'stripe' as const].map((store) => ({ framework: 'node' as const, store })),
]
/** Prevents the download of an engine that `prisma generate` does not use. */
const withoutDownload = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Runs a shell command in a folder and returns its output. Throws if the command fails. */
async function runIn(folder: string, line: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, text } = await runLine(folder, line, userEnvironment({ NODE_ENV: 'development', ...more }))
  if (code !== 0) throw new Error(`${line} failed:\n${text}`)
  return text
}

let home = ''
let postgres: PostgresDatabases | undefined

/** Checks to skip for each framework, because the framework's server handles requests before the integration. */
const limits: Readonly<Record<Framework, Pick<MountKind, 'unsupported' | 'skips'>>> = {
  node: nodeMount,
  express: express5Mount,
  next: createNextApp().catchAll,
  fastify: fastifyMount,
  hono: honoMount,
}

/** Creates a project with the packed `create-storeport`. The default parent folder contains all installed packages. */
async function scaffold(framework: Framework, store: Store, parent = home): Promise<string> {
  const name = `${framework}-${store}`
  const command = join(home, 'node_modules/.bin/create-storeport')
  await runIn(parent, `${command} ${name} --framework ${framework} --store ${store}`)
  const folder = join(parent, name)
  if (store === 'drizzle' || store === 'prisma') {
    const url = (await postgres?.createDatabase()) ?? ''
    const env = await readFile(join(folder, '.env'), 'utf8')
    await writeFile(join(folder, '.env'), env.replaceAll(/DATABASE_URL=.*$/gm, `DATABASE_URL=${url}`))
  }
  return folder
}

async function readKey(folder: string): Promise<string> {
  return /^STOREPORT_API_KEY=(\S{16,})$/m.exec(await readFile(join(folder, '.env'), 'utf8'))?.[1] ?? ''
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'storeport-scaffold-'))
  postgres = await sharedPostgres()
  const tarballs = await packPackages()
  const needed = created.flatMap((combination): [string, string][] => {
    const text = projectFiles({ name: 'all', apiKey: '', ...combination }).get('package.json') ?? ''
    const { dependencies = {}, devDependencies = {} }: Manifest = JSON.parse(text)
    return Object.entries({ ...dependencies, ...devDependencies })
  })
  const ours = [...tarballs].map(([name, file]) => [name, `file:${file}`])
  const dependencies = { ...Object.fromEntries(needed), ...Object.fromEntries(ours) }
  await writeFile(join(home, 'package.json'), JSON.stringify({ name: 'all', private: true, dependencies }))
  await runIn(home, 'npm install --prefer-offline --no-audit --no-fund', withoutDownload)
  for (const { framework, store } of created) await scaffold(framework, store)
  await runIn(join(home, 'node-prisma'), 'npx prisma generate', withoutDownload)
}, 300_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
})

/** Reports of the projects' own tests, by the content of the tested files. Projects with equal files share a report. */
const reports = new Map<string, Promise<string>>()
async function runOwnTest(folder: string): Promise<string> {
  const files = ['store.ts', 'test/store.test.ts', 'conformance-profile.json', 'package.json']
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')))
  const { scripts }: Manifest = JSON.parse(texts.pop() ?? '')
  const key = [scripts['test'], ...texts].join('\n').replaceAll(basename(folder), 'shop')
  const report = reports.get(key) ?? runIn(folder, 'npm test')
  reports.set(key, report)
  return report
}

/** Groups of checks that cover every part of a project: server, paths, key, store and data. */
const only = ['routing', 'authentication', 'queries', 'bodies', 'listProducts', 'addProduct', 'getDiscount']

/**
 * Returns whether the tests start this project. One store is enough for most servers, because their code does not
 * depend on the store. Only Next.js bundles the store, so `go-live/walk` starts Next.js with PostgreSQL.
 */
const isStarted = ({ framework, store }: (typeof combinations)[number]) =>
  framework === 'node' || store === (framework === 'next' ? 'sql' : 'own')

// The projects run concurrently, because the checks and the builds wait for most of their time.
describe.concurrent.each(combinations)(
  '$framework project with the store $store',
  { timeout: 900_000 },
  (combination) => {
    const { framework, store } = combination
    const folderOf = () => join(home, `${framework}-${store}`)

    it('passes its own tests', async () => {
      const report = await runOwnTest(folderOf())
      expect(Number(/^# pass (\d+)$/m.exec(report)?.[1])).toBeGreaterThan(store === 'own' ? 80 : 200)
      expect(report).toMatch(/^# fail 0$/m)
    })

    it.runIf(isStarted(combination))('starts and passes the checks over HTTP', async ({ onTestFinished }) => {
      const folder = folderOf()
      const env = userEnvironment({ PORT: '0', NEXT_TELEMETRY_DISABLED: '1' })
      if (framework === 'next')
        await runIn(folder, 'npm run build', { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
      const { found: url, stop } = await startLine(folder, 'npm start', env, /http:\/\/(?:127\.0\.0\.1|localhost):\d+/)
      onTestFinished(() => void stop())
      const { unsupported, skips } = limits[framework]
      const { results } = await collectReport(
        runChecks({
          send: sendByHttp(url),
          apiKey: await readKey(folder),
          profile: store === 'own' ? await readProfile(join(folder, 'conformance-profile.json')) : undefined,
          only,
          unsupported,
          skips,
        }),
      )
      expect(results.flatMap(({ check, failure }) => (failure ? [`${check.id}: ${failure.message}`] : []))).toEqual([])
      expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(store === 'own' ? 50 : 70)

      const health = await fetch(`${url}/healthz`)
      expect([health.status, await health.text()]).toEqual([200, 'ok'])
      expect(health.headers.get('keep-alive')).toBe('timeout=65')
      const image = await fetch(`${url}/images/beans.svg`)
      expect([image.status, image.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^image\/svg\+xml/),
      ])
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      const output = await stop()
      expect(output).toMatch(/"endpoint":"listProducts","status":200,.*"request completed"/)
      // Next prints nothing when it stops.
      if (framework !== 'next') expect(output).toMatch(/"msg":"stopped"/)
    })
  },
)

it.each(tableStores)('has at most 80 lines of code for the database library of %s', async (store) => {
  const lines = (await readFile(join(home, `node-${store}`, 'database.ts'), 'utf8')).split('\n')
  expect(lines.filter((line) => !/^\s*(?:\/\/|\/\*\*|\*|$)/.test(line)).length).toBeLessThanOrEqual(80)
})

describe.concurrent('node project', { timeout: 900_000 }, () => {
  for (const store of tableStores) {
    it(`passes the checks with the database of ${store}`, async ({ onTestFinished }) => {
      const folder = join(home, `node-${store}`)
      expect(await runIn(folder, 'npm run setup')).toContain('tables created')
      const env = userEnvironment({ PORT: '0' })
      const { found: url, stop } = await startLine(folder, 'npm start', env, /http:\/\/127\.0\.0\.1:\d+/)
      onTestFinished(() => void stop())
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      // `npm run check` finds the kit only in the project's own node_modules.
      const kit = join(home, 'node_modules/@storeport/conformance/bin/storeport-conformance.js')
      const key = { STOREPORT_API_KEY: await readKey(folder) }
      // The stores differ only in the database library, so one exploration is enough.
      const words = `--profile profile.jsonc --stress${store === tableStores[0] ? '' : ' --skip explore.follows-the-model'}`
      const report = await runIn(folder, `node ${kit} ${url} ${words}`, key)
      expect(report).toMatch(/^ *READY /m)
      expect(await stop()).not.toContain('request failed')
    })
  }

  it('commits no statement of a transaction whose rollback timed out in Prisma', async () => {
    const folder = join(home, 'node-prisma')
    const program = `
      import { db, transact, close } from './database.ts'
      const log = (tx, action) => tx.$executeRawUnsafe('create table if not exists log (action text)')
        .then(() => tx.$executeRawUnsafe('insert into log values ($1)', action))
      await transact((tx) => log(tx, 'first'))
      // The time limit is 8 seconds for the statement, and again for the rollback, which waits for the statement.
      const slow = (tx) => log(tx, 'lost').then(() => tx.$executeRawUnsafe('select pg_sleep(16.5)'))
      console.log(await transact(slow).catch(({ code }) => code))
      await transact((tx) => log(tx, 'next'))
      console.log(JSON.stringify(await db.$queryRawUnsafe('select action from log')))
      await close()`
    await writeFile(join(folder, 'slow.ts'), program)
    const output = await runIn(folder, 'node --import tsx --import ./env.ts slow.ts')
    await rm(join(folder, 'slow.ts'))
    expect(output).toContain('store_unavailable\n[{"action":"first"},{"action":"next"}]')
  })

  it('passes the tests of a project with its own tables', async () => {
    const folder = join(home, 'node-drizzle')
    const { scripts }: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    // A part of the checks is enough, because the test above runs all checks over HTTP.
    const some = (scripts['test'] ?? '').replace('--test ', '--test --test-name-pattern=addProduct ')
    // The second run must not find the tables of the first.
    for (let turn = 0; turn < 2; turn++) {
      const report = await runIn(folder, some)
      expect(Number(/^# pass (\d+)$/m.exec(report)?.[1])).toBeGreaterThan(20)
      expect(report).toMatch(/^# fail 0$/m)
    }
    const failed = await runIn(folder, 'npm run setup; true', { DATABASE_URL: 'postgres://127.0.0.1:1/none' })
    expect(failed).toMatch(/^The tables were not created \(.*ECONNREFUSED.*\)\. Set DATABASE_URL/m)
  })
})

// Excludes the Next projects, because `next build` checks their types with its own settings.
it('creates projects without type errors', { timeout: 900_000 }, async () => {
  const others = created.filter(({ framework }) => framework !== 'next')
  const include = others.map(({ framework, store }) => `${framework}-${store}/**/*.ts`)
  const settings = { extends: './node-own/tsconfig.json', include }
  await writeFile(join(home, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = 'node node_modules/typescript/bin/tsc'
  const files = (await runIn(home, `${tsc} --listFilesOnly`)).split('\n')
  expect(files.filter((file) => file.endsWith('/test/store.test.ts')).length).toBe(others.length)
  expect(await runIn(home, tsc)).toBe('')
})
