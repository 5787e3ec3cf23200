import { type Framework, kindOf, profiles, type Store } from './choices.ts'
import { version } from './version.ts'

/** Version ranges of third-party packages that this version is tested with. */
export const ranges = {
  '@hono/node-server': '^2.1.8',
  '@prisma/adapter-pg': '^7.10.1',
  '@prisma/client': '^7.10.0',
  '@types/express': '^5.0.6',
  '@types/node': '^20.19.43',
  '@types/pg': '^8.23.1',
  '@types/react': '^19.3.0',
  'drizzle-orm': '^0.45.4',
  express: '^5.3.0',
  fastify: '^5.12.8',
  hono: '^4.13.19',
  libsql: '^0.5.29',
  next: '^16.4.6',
  pg: '^8.23.1',
  prisma: '^7.10.1',
  react: '^19.3.1',
  'react-dom': '^19.3.1',
  stripe: '^23.1.0',
  tsx: '^4.23.15',
  typescript: '^5.9.3',
} as const

type Dependency = keyof typeof ranges | `@storeport/${string}`

/** Packages that a framework or a store adds to a project. */
interface Packages {
  readonly dependencies?: readonly Dependency[]
  readonly devDependencies?: readonly Dependency[]
}

const packages: Readonly<Record<Framework | Store, Packages>> = {
  node: { dependencies: ['tsx'] },
  express: { dependencies: ['@storeport/express', 'express', 'tsx'], devDependencies: ['@types/express'] },
  fastify: { dependencies: ['@storeport/fastify', 'fastify', 'tsx'] },
  hono: { dependencies: ['@hono/node-server', 'hono', 'tsx'] },
  next: {
    dependencies: ['@storeport/next', 'next', 'react', 'react-dom'],
    devDependencies: ['@types/react', 'tsx'],
  },
  own: {},
  drizzle: { dependencies: ['@storeport/rules', 'drizzle-orm', 'pg'], devDependencies: ['@types/pg'] },
  prisma: {
    dependencies: ['@prisma/adapter-pg', '@prisma/client', '@storeport/rules', 'pg', 'prisma'],
    devDependencies: ['@types/pg'],
  },
  sql: { dependencies: ['@storeport/store-sql', 'libsql', 'pg'] },
  stripe: { dependencies: ['@storeport/store-stripe', 'stripe'] },
}

const serverScripts = { dev: 'node --watch --import tsx server.ts', start: 'node --import tsx server.ts' }

/** By default, Next.js listens on all addresses. */
const nextScripts = {
  dev: 'next dev -H 127.0.0.1',
  build: 'next build',
  start: 'next start -H 127.0.0.1 --keepAliveTimeout 65000',
}

/** Start of an npm script that runs a program with the settings in `.env`. */
const withEnv = 'node --import tsx --import ./env.ts '

/** Checks that fail with Stripe, which applies percentages to whole lines and delays a billing by at most two years. */
const checksStripeFails = [
  'addProduct.subtracts-a-percentage',
  'delaySubscription.does-not-shift-dates',
  'delaySubscription.accepts-a-distant-date',
]

/** Returns the package.json of a project. Without `allowScripts`, npm reports the install scripts of dependencies. */
export function manifest(name: string, framework: Framework, store: Store): Record<string, unknown> {
  const own = [packages[framework], packages[store]]
  const kind = kindOf(store)
  const profile = kind === 'sql' ? '' : ` --profile ${profiles[kind]}`
  // A framework responds to some requests itself, for example to invalid HTTP. The kit skips these requests.
  const limits = framework === 'node' ? '' : ` --framework ${framework}`
  const skip = store === 'stripe' ? ` --skip ${checksStripeFails.join(',')}` : ''
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      ...(framework === 'next' ? nextScripts : serverScripts),
      test: `node --import tsx ${store === 'stripe' ? '--import ./env.ts ' : ''}--test --test-reporter ./test/reporter.js test/store.test.ts`,
      types: 'tsc --noEmit',
      check: `${withEnv}node_modules/@storeport/conformance/bin/storeport-conformance.js${profile}${limits}${skip}`,
      playground: `${withEnv}node_modules/@storeport/host/bin/storeport.js playground --port 3001 --profile ${profiles[kind]}`,
      ...(kind === 'tables' && { setup: `${withEnv}setup.ts`, bill: `${withEnv}bill.ts` }),
      ...(store === 'prisma' && { postinstall: 'prisma generate' }),
    },
    dependencies: addRanges([
      '@storeport/core',
      '@storeport/node',
      ...own.flatMap(({ dependencies = [] }) => dependencies),
    ]),
    devDependencies: addRanges([
      '@storeport/conformance',
      '@storeport/host',
      '@types/node',
      'typescript',
      ...own.flatMap(({ devDependencies = [] }) => devDependencies),
    ]),
    engines: { node: '^20.19.0 || >=22.12.0' },
    allowScripts: {
      ...(store === 'prisma' && { '@prisma/client': true, '@prisma/engines': true, prisma: true }),
      esbuild: true,
      ...(framework === 'next' && { sharp: true }),
    },
  }
}

function addRanges(names: readonly Dependency[]): Record<string, string> {
  return sortByName(names.map((name) => [name, isStorePortPackage(name) ? version : ranges[name]]))
}

/** Returns an object with the entries, sorted by name. */
export function sortByName(entries: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isStorePortPackage(name: Dependency): name is `@storeport/${string}` {
  return name.startsWith('@storeport/')
}
