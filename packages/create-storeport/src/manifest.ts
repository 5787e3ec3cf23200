import { type Framework, kindOf, type Store } from './choices.ts'
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

interface Requirements {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: readonly Dependency[]
  readonly devDependencies?: readonly Dependency[]
}

/** Start of an npm script that runs a program with the settings in `.env`. */
const withEnv = 'node --import tsx --import ./env.ts '

const onNode = { dev: 'node --watch --import tsx server.ts', start: 'node --import tsx server.ts' }

const frameworkRequirements: Readonly<Record<Framework, Requirements>> = {
  node: { scripts: onNode, dependencies: ['@storeport/node', 'tsx'] },
  express: {
    scripts: onNode,
    dependencies: ['@storeport/express', '@storeport/node', 'express', 'tsx'],
    devDependencies: ['@types/express'],
  },
  fastify: { scripts: onNode, dependencies: ['@storeport/fastify', '@storeport/node', 'fastify', 'tsx'] },
  hono: { scripts: onNode, dependencies: ['@hono/node-server', '@storeport/node', 'hono', 'tsx'] },
  next: {
    // By default, Next.js listens on all addresses.
    scripts: {
      dev: 'next dev -H 127.0.0.1',
      build: 'next build',
      start: 'next start -H 127.0.0.1 --keepAliveTimeout 65000',
    },
    dependencies: ['@storeport/next', '@storeport/node', 'next', 'react', 'react-dom'],
    devDependencies: ['@types/react', 'tsx'],
  },
}

/** Checks that fail with Stripe, which applies percentages to whole lines and delays a billing by at most two years. */
const checksStripeFails = [
  'addProduct.subtracts-a-percentage',
  'delaySubscription.does-not-shift-dates',
  'delaySubscription.accepts-a-distant-date',
]

/** Returns the package.json of a project. Without `allowScripts`, npm reports the install scripts of dependencies. */
export function manifest(name: string, framework: Framework, store: Store): Record<string, unknown> {
  const { scripts, dependencies, devDependencies = [] } = frameworkRequirements[framework]
  const file = profiles[kindOf(store)]
  const profile = kindOf(store) === 'sql' ? '' : ` --profile ${file}`
  // A framework responds to some requests itself, for example to invalid HTTP. The kit skips these requests.
  const limits = framework === 'node' ? '' : ` --framework ${framework}`
  const skip = store === 'stripe' ? ` --skip ${checksStripeFails.join(',')}` : ''
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      ...scripts,
      test: `node --import tsx ${store === 'stripe' ? '--import ./env.ts ' : ''}--test --test-reporter ./test/reporter.js test/store.test.ts`,
      types: 'tsc --noEmit',
      check: `${withEnv}node_modules/@storeport/conformance/bin/storeport-conformance.js${profile}${limits}${skip}`,
      playground: `${withEnv}node_modules/@storeport/host/bin/storeport.js playground --port 3001 --profile ${file}`,
      ...(kindOf(store) === 'tables' && {
        setup: `${withEnv}setup.ts`,
        bill: `${withEnv}bill.ts`,
      }),
      ...(store === 'prisma' && { postinstall: 'prisma generate' }),
    },
    dependencies: addRanges(['@storeport/core', ...storeRequirements[store].dependencies, ...dependencies]),
    devDependencies: addRanges([
      '@storeport/conformance',
      '@storeport/host',
      '@types/node',
      'typescript',
      ...devDependencies,
      ...(storeRequirements[store].devDependencies ?? []),
    ]),
    engines: { node: '^20.19.0 || >=22.12.0' },
    allowScripts: {
      ...(store === 'prisma' && { '@prisma/client': true, '@prisma/engines': true, prisma: true }),
      esbuild: true,
      ...(framework === 'next' && { sharp: true }),
    },
  }
}

/** Profile file of each kind of store, for the checks and the playground. */
const profiles = {
  own: 'conformance-profile.json',
  tables: 'profile.jsonc',
  sql: 'playground-profile.json',
  stripe: 'conformance-profile.json',
} as const

/** Dependencies of each store. */
const storeRequirements: Readonly<Record<Store, Omit<Requirements, 'scripts'>>> = {
  own: { dependencies: [] },
  drizzle: { dependencies: ['@storeport/rules', 'drizzle-orm', 'pg'], devDependencies: ['@types/pg'] },
  prisma: {
    dependencies: ['@prisma/adapter-pg', '@prisma/client', '@storeport/rules', 'pg', 'prisma'],
    devDependencies: ['@types/pg'],
  },
  sql: { dependencies: ['@storeport/store-sql', 'libsql', 'pg'] },
  stripe: { dependencies: ['@storeport/store-stripe', 'stripe'] },
}

function addRanges(names: readonly Dependency[]): Record<string, string> {
  const pairs = names.map((name): [string, string] => [name, isStorePortPackage(name) ? version : ranges[name]])
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isStorePortPackage(name: Dependency): name is `@storeport/${string}` {
  return name.startsWith('@storeport/')
}
