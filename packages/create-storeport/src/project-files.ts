import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Framework, type Kind, kindOf, type Store } from './choices.ts'
import { manifest } from './manifest.ts'
import { readme } from './readme.ts'

/** Options of a project. */
export interface ProjectOptions {
  /** Package name. */
  readonly name: string
  /** Framework that the integration is mounted on. */
  readonly framework: Framework
  /** Store of the project. */
  readonly store: Store
  /** API key for the `.env` file, at least 16 characters. */
  readonly apiKey: string
}

const templates = fileURLToPath(new URL('../templates', import.meta.url))
/** Folder of examples/own-database. The build copies it into `dist`. */
const example = ['own-database', '../../../examples/own-database']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((folder) => existsSync(folder))
/** Files of the example in projects with their own tables. The files of `drizzle` are only for Drizzle. */
const exampleFiles: Readonly<Record<string, readonly string[]>> = {
  tables: [
    ...['account.ts', 'bill.ts', 'charge.ts', 'load.ts', 'pool.ts', 'setup.ts', 'store.ts', 'unavailable.ts'],
    ...['profile.jsonc', 'sample.sql', 'schema.sql'],
  ],
  drizzle: ['actions.ts', 'database.ts', 'rows.ts', 'save.ts', 'schema.ts'],
}

/** Returns the files of a project, as a map from the path (with `/` on all platforms) to the content. */
export function projectFiles({ name, framework, store, apiKey }: ProjectOptions): ReadonlyMap<string, string> {
  const kind = kindOf(store)
  const isNext = framework === 'next'
  // For your own tables, `integration.ts` is in the template of the store.
  const opened = kind === 'own' ? 'own-on-node' : `opened-on-${isNext ? 'next' : 'node'}`
  const library = kind === 'tables' ? store : opened
  const files = new Map(['base', kind, library, ...(isNext ? [] : ['server']), framework].flatMap(filesIn))
  files.set('Dockerfile', dockerfile(framework, store)).set('.dockerignore', dockerIgnore)
  files.set('package.json', `${JSON.stringify(manifest(name, framework, store), null, 2)}\n`)
  files.set('README.md', readme(name, framework, store))
  files.set('.env', environment(store, apiKey))
  files.set('.env.example', environment(store, ''))
  return new Map([...files].map(([path, text]) => [path, text.replaceAll('my-shop', name)]))
}

function filesIn(template: string): [string, string][] {
  const copies = (exampleFiles[template] ?? []).map((path): [string, string] => [
    path,
    readFileSync(join(example ?? templates, path), 'utf8'),
  ])
  const folder = join(templates, template)
  if (!existsSync(folder)) return copies
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const file = join(entry.parentPath, entry.name)
      // The template is named `_gitignore`, because npm does not publish .gitignore files.
      const path = file.slice(folder.length + 1).replace(/^_gitignore$/, '.gitignore')
      return [path.replaceAll(sep, '/'), readFileSync(file, 'utf8')]
    })
  return [...copies, ...files]
}

/** Returns the Dockerfile of a project. */
function dockerfile(framework: Framework, store: Store): string {
  const isNext = framework === 'next'
  const build = isNext ? 'npm ci && npm run build && npm prune --omit=dev' : 'npm ci --omit=dev'
  const start = isNext
    ? ['node', 'node_modules/next/dist/bin/next', 'start', '-H', '0.0.0.0', '--keepAliveTimeout', '65000']
    : ['node', '--import', 'tsx', 'server.ts']
  const isAlive = `fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`
  return [
    'FROM node:22-slim AS build',
    'WORKDIR /app',
    'COPY . .',
    `RUN ${build}`,
    '',
    'FROM node:22-slim',
    'ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000',
    ...(store === 'sql' ? sqliteLines : []),
    'WORKDIR /app',
    'COPY --from=build /app .',
    'USER node',
    'EXPOSE 3000',
    `HEALTHCHECK CMD ${JSON.stringify(['node', '-e', isAlive])}`,
    `CMD ${JSON.stringify(start)}`,
    '',
  ].join('\n')
}

/** Dockerfile lines that store a SQLite database in a volume. The user `node` of the container can write to the volume. */
const sqliteLines = [
  'ENV DATABASE_URL=sqlite:/data/store.db',
  'RUN mkdir /data && chown node:node /data',
  'VOLUME /data',
]

/** Files that are excluded from the container build. */
const dockerIgnore = ['.env', '.git', '.next', '*.db*', 'node_modules', ''].join('\n')

/** Returns the content of `.env`, or of `.env.example` if the key is empty. */
function environment(store: Store, apiKey: string): string {
  return [
    '# API key of the email platform. Do not commit this file.',
    `STOREPORT_API_KEY=${apiKey}`,
    '# Further accepted keys, comma-separated, while you replace the key.',
    'STOREPORT_API_KEYS=',
    '# Public URL of the server, for image URLs. By default, the server on this machine.',
    'STOREPORT_URL=',
    '# Number of proxies in front of the server that add to X-Forwarded-For.',
    'STOREPORT_TRUST_PROXY=0',
    ...storeVariables[kindOf(store)],
    '',
  ].join('\n')
}

const storeVariables: Readonly<Record<Kind, readonly string[]>> = {
  own: [],
  tables: [
    '# URL of the database.',
    'DATABASE_URL=postgres://postgres:postgres@127.0.0.1:5432/postgres',
    '# URL of a server on which `npm test` can create a database.',
    'TEST_DATABASE_URL=postgres://postgres:postgres@127.0.0.1:5432/postgres',
  ],
  sql: [
    '# URL of the database, sqlite: or postgres:.',
    'DATABASE_URL=sqlite:store.db',
    '# Fills an empty database with an example shop. Remove this line before you add your own data.',
    'SEED=yes',
    '# Password for the database in compose.yaml. Choose a password.',
    'POSTGRES_PASSWORD=',
  ],
  stripe: ['# API key of Stripe. Use the key of a sandbox for development.', 'STRIPE_SECRET_KEY='],
}
