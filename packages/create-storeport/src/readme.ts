import { type Framework, frameworks, type Store } from './choices.ts'
import { compose } from './compose.ts'

/** The README.md of a project. */
export function readme(name: string, framework: Framework, store: Store): string {
  return `# ${name}

Serves the subscription commerce integration API with StorePort (${frameworks[framework].label}).

\`\`\`sh
npm install
npm test        # asks the store whatever the caller could ask
npm start       # http://127.0.0.1:3000, or the port in PORT
npm run check   # asks the running server the same, over HTTP
npm run playground   # shows the running server as a customer sees it, at http://localhost:3001
npm run types   # checks the types
\`\`\`

\`npm run check\` says READY, or what to do; where it says INCOMPLETE (exit code 3), it names what it could not try: an order, say, is
sent once a day.

A first call, with the key that is in \`.env\`:

\`\`\`sh
(. ./.env; curl -H "X-Integration-API-Key: $STOREPORT_API_KEY" http://127.0.0.1:3000/integration/upsells/products)
\`\`\`

## What is where

| file | |
| --- | --- |
${[...fileRows(framework, store)].map(([file, meaning]) => `| \`${file}\` | ${meaning} |`).join('\n')}
| \`test/store.test.ts\` | ${store === 'own' ? 'the conformance checks, on a new store each' : 'the conformance checks, on a database of its own'} |
| \`.env\` | the API key and other settings of this machine; \`.env.example\` is for the others |

## What is next

${steps[store]}
${deploying[framework]}
Then give the caller the address that comes before \`/integration\`, and the key. To change the key, let
\`apiKeys\` hold the old one and the new one until the caller has changed too.
`
}

function fileRows(framework: Framework, store: Store): ReadonlyMap<string, string> {
  const isOwn = store === 'own'
  const rows = new Map([
    [
      'store.ts',
      isOwn ? 'your shop: what each call means. Begin here' : 'opens the database, and says what buttons do',
    ],
  ])
  if (framework !== 'worker') rows.set('integration.ts', 'the API out of the store and the key')
  for (const [file, meaning] of Object.entries(entries[framework])) rows.set(file, meaning)
  rows.set('pictures.ts', 'draws what stands in for photographs of the products')
  if (framework !== 'worker')
    rows.set('Dockerfile', 'a container: built in one stage, run in another by a user without rights')
  if (compose(framework, store) !== undefined)
    rows.set('compose.yaml', 'the container beside a PostgreSQL of its own: `docker compose up`')
  if (isOwn) rows.set('conformance-profile.json', 'which products, customers and codes the checks may use')
  else rows.set('playground-profile.json', 'which customers the playground offers')
  return rows
}

const server = { 'server.ts': 'the server', 'stop-on-signal.ts': 'how it ends: what is in flight is finished first' }

const entries: Readonly<Record<Framework, Readonly<Record<string, string>>>> = {
  node: server,
  express: server,
  fastify: server,
  hono: server,
  next: {
    'app/integration/[[...path]]/route.ts': 'the route',
    'app/healthz/route.ts': 'says `ok` while the server runs, for whatever watches it',
    'app/images/[file]/route.ts': 'serves the pictures',
    'next.config.ts': 'the settings that the API needs',
  },
  worker: { 'worker.ts': 'the Worker', 'dev.ts': 'runs it here, in workerd', 'wrangler.jsonc': 'where it is deployed' },
}

const steps: Readonly<Record<Store, string>> = {
  own: `Put calls to your shop into the methods of \`store.ts\`, one after the other. Your editor lists those that are not there yet
(\`getSubscription\`, \`sendNow\`, \`delaySubscription\` …): each one shows another widget or button to your customers. Put
products and customers of a test shop into \`conformance-profile.json\`, and the checks test the new methods, too.`,
  sqlite: `\`SEED=yes\` has filled \`store.db\` with a small shop, so that there is something to see and to check. Take the line and the
file away, and put your customers and products into the tables that the README of \`@storeport/store-sql\` describes. The
file must be on a disk of this machine; keep copies of it.`,
  postgres: `\`DATABASE_URL\` in \`.env\` is where the database is. One to try things on:

\`\`\`sh
docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_PASSWORD=postgres postgres:18
\`\`\`

\`SEED=yes\` fills an empty one with a small shop, so that there is something to see and to check; take the line away before
your customers and products go into the tables that the README of \`@storeport/store-sql\` describes. \`npm test\` runs over SQLite,
in which the store does the same; set \`TEST_DATABASE_URL\` to run it over an empty PostgreSQL database.`,
}

const onServer = `
Where you deploy it, set the variables of \`.env\` in the environment, and \`HOST=0.0.0.0\` where others must get in. \`/healthz\` says \`ok\`
while the server runs; on SIGTERM it finishes what is in flight. \`docker build -t my-shop .\` makes a container, once \`npm install\` has written
\`package-lock.json\`.
`

const deploying: Readonly<Record<Framework, string>> = {
  node: onServer,
  express: onServer,
  fastify: onServer,
  hono: onServer,
  next: `
Where you deploy it, set the variables of \`.env\` in the environment. Several machines, as hosting for Next has them, do not share
memory: they need a store with a database, or a shared \`retries.ledger\` and \`scope\`. Otherwise a double click counts twice.
`,
  worker: `
To deploy it: \`npx wrangler secret put STOREPORT_API_KEY\`, then \`npx wrangler deploy\`. Every isolate has a memory of its own, so the
store must save its data elsewhere. Clicks count once among all isolates only with a shared \`retries.ledger\` and \`scope\`.
`,
}
