import type { Framework, Store } from './choices.ts'

/** The Dockerfile of a project; none for a Worker, which runs elsewhere. */
export function dockerfile(framework: Framework, store: Store): string | undefined {
  if (framework === 'worker') return undefined
  const isNext = framework === 'next'
  const build = isNext ? 'npm ci && npx next build && npm prune --omit=dev' : 'npm ci --omit=dev'
  const start = isNext
    ? ['node', 'node_modules/next/dist/bin/next', 'start', '--keepAliveTimeout', '65000']
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
    ...(store === 'sqlite' ? sqliteLines : []),
    'WORKDIR /app',
    'COPY --from=build /app .',
    'USER node',
    'EXPOSE 3000',
    `HEALTHCHECK CMD ${JSON.stringify(['node', '-e', isAlive])}`,
    `CMD ${JSON.stringify(start)}`,
    '',
  ].join('\n')
}

/** The file outlives the container, in a volume that its user may write to. */
const sqliteLines = [
  'ENV DATABASE_URL=sqlite:/data/store.db',
  'RUN mkdir /data && chown node:node /data',
  'VOLUME /data',
]

/** What is not sent to the build of a container. */
export const dockerIgnore = ['.env', '.git', '.next', '*.db*', 'node_modules', ''].join('\n')
