import { type Framework, frameworks, type Kind, kindOf, profiles, type Store } from './choices.ts'

/** Returns the README.md of a project. */
export function readme(name: string, framework: Framework, store: Store): string {
  const isNext = framework === 'next'
  const about = kinds[kindOf(store)]
  return `# ${name}

Serves the subscription commerce integration API with StorePort (${frameworks[framework].label}).

\`\`\`sh
npm install
npm test             # runs the conformance checks on the store
${isNext ? onNext : onServer}
npm run check        # runs the conformance checks on the running server, over HTTP
npm run playground   # shows the running server as a customer sees it, at http://localhost:3001
npm run types        # checks the types
\`\`\`

To use a port different from 3000, set \`PORT\` for all commands: \`PORT=4000 npm start\`, then \`PORT=4000 npm run check\`.

\`npm run check\` prints READY, or the problems that it found. INCOMPLETE (exit code 3) lists the requirements that it could not
test. For example, a customer's order can be sent only once per day.

To send a first request with the key in \`.env\`, run:

\`\`\`sh
(. ./.env; curl -H "X-Integration-API-Key: $STOREPORT_API_KEY" http://127.0.0.1:3000/integration/upsells/products)
\`\`\`

## Files

| file | content |
| --- | --- |
${Object.entries(filesOf(isNext, store))
  .map(([file, meaning]) => `| \`${file}\` | ${meaning} |`)
  .join('\n')}
| \`test/store.test.ts\` | ${about.test} |
| \`test/reporter.js\` | prints only failures and totals in a log |
| \`.env\` | the API key and the settings for this machine; \`.env.example\` is a template for other machines |

## Next steps

${about.steps}
${isNext ? deployNext : deployServer}
Then give the email platform the URL before \`/integration\`, and the key.

To replace the key, set \`STOREPORT_API_KEY\` to the new key and \`STOREPORT_API_KEYS\` to the old key. Restart the server, and give the
new key to the email platform. When no request uses the old key, empty \`STOREPORT_API_KEYS\` and restart.
`
}

const onServer = `npm run dev          # starts the server, and restarts it after each change of a file
npm start            # starts the server at http://127.0.0.1:3000`

const onNext = `npm run dev          # starts the development server of Next.js at http://127.0.0.1:3000
npm run build        # builds the project for npm start
npm start            # starts the built project at http://127.0.0.1:3000`

const tableFiles = {
  'database.ts': 'the client of your database library, and one transaction',
  'pool.ts': 'the connections to PostgreSQL, with their time limits',
  'account.ts': 'maps your rows to an account, a product and a discount code; start here',
  'rows.ts': 'loads and locks the rows',
  'load.ts': 'loads the data of a request',
  'save.ts': 'saves the changes of an account',
  'actions.ts': 'the custom actions that emails can run',
  'charge.ts': 'charges an order before it is saved; off by default',
  'unavailable.ts': 'recognizes errors after which the caller can retry',
  'bill.ts': 'the billing job: `npm run bill`',
  'setup.ts': 'creates the tables and the sample data: `npm run setup`',
} as const

const nextFiles = {
  'app/integration/[[...path]]/route.ts': 'the route',
  'app/healthz/route.ts': 'the health check: returns `ok` while the server runs',
  'app/readyz/route.ts': 'the readiness check: returns 503 while the store is not available',
  'app/images/[file]/route.ts': 'the images',
  'next.config.ts': 'the settings that the API requires',
}

/** Returns the meaning of each file of a project, by its path. */
function filesOf(isNext: boolean, store: Store): Readonly<Record<string, string>> {
  const kind = kindOf(store)
  const about = kinds[kind]
  const prismaFiles = { 'schema.prisma': 'the models of the tables', 'prisma.config.ts': 'the settings of Prisma' }
  return {
    'store.ts': about.store,
    ...(kind === 'tables' && {
      ...tableFiles,
      'schema.sql': 'the tables',
      ...(store === 'prisma' ? prismaFiles : { 'schema.ts': 'the tables for Drizzle' }),
    }),
    'env.ts': 'loads `.env` and reads the settings',
    'integration.ts': 'the integration: the store, the API keys, the log and the readiness',
    ...(isNext ? nextFiles : { 'server.ts': 'the server' }),
    'images.ts': 'draws placeholder images of the products',
    Dockerfile: 'a container with a build stage and an unprivileged user',
    ...(kind === 'sql' && { 'compose.yaml': 'the container and a PostgreSQL database: `docker compose up`' }),
    [profiles[kind]]: about.profile,
  }
}

/** Texts about a kind of store: its files, and the next steps. */
type About = Readonly<Record<'store' | 'test' | 'profile' | 'steps', string>>

const kinds: Readonly<Record<Kind, About>> = {
  own: {
    store: 'the methods of your shop; start here',
    test: 'the conformance checks, with a new store for each check',
    profile: 'the products, customers and codes that the checks use',
    steps: `Implement the methods in \`store.ts\` one at a time. Your editor lists the missing methods (\`getSubscription\`,
\`sendNow\`, \`delaySubscription\` …). Each method enables another widget or button for your customers. Add products and customers of a
test shop to \`conformance-profile.json\`, so that the checks also test the new methods.`,
  },
  tables: {
    store: 'the eleven operations: lock, load, run the rule, save',
    test: 'the conformance checks, with a new database on the server of `TEST_DATABASE_URL`',
    profile: 'the sample data, for the checks and the playground',
    steps: `\`DATABASE_URL\` in \`.env\` is the URL of an empty database. \`npm run setup\` creates sample tables with data. Run it before
\`npm start\`. Then replace the tables with yours, and change \`account.ts\`, \`rows.ts\` and \`save.ts\`, as StorePort's guide "Your own
database" explains. StorePort runs its statements in the transactions of your database library. A custom action receives this transaction.

\`npm test\` creates a database on the server in \`TEST_DATABASE_URL\`, and removes it.`,
  },
  sql: {
    store: 'opens the database and defines the custom actions',
    test: 'the conformance checks, with a new database',
    profile: 'the customers in the playground',
    steps: `\`SEED=yes\` fills \`store.db\` with an example shop. Before you add your own data, remove the line and the file. Then insert
your customers and products into the tables that the README of \`@storeport/store-sql\` describes. Store the file on a local disk, and
back it up.

For PostgreSQL, set \`DATABASE_URL\` in \`.env\` to the URL of a database. To start a database for development, run:

\`\`\`sh
docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_PASSWORD=postgres postgres:18
\`\`\`

Its URL is \`postgres://postgres:postgres@127.0.0.1:5432/postgres\`. \`npm test\` uses SQLite, on which the store behaves in the same
way. To test on PostgreSQL, set \`TEST_DATABASE_URL\` to an empty database.`,
  },
  stripe: {
    store: 'connects to Stripe and defines the custom actions',
    test: 'the conformance checks, with the Stripe sandbox in `STRIPE_SECRET_KEY`',
    profile: 'the customers that the checks and the playground use',
    steps: `\`STRIPE_SECRET_KEY\` in \`.env\` is the key of your Stripe sandbox. The store reads products, prices, customers and subscriptions of
this account. If the account is empty, create two products with monthly prices and two customers, one with a subscription. Write their
emails into \`conformance-profile.json\`. \`npm start\` prints the objects that the store does not support. The README of
\`@storeport/store-stripe\` lists the permissions of the key and the limits of Stripe.

\`npm test\` and \`npm run check\` change subscriptions and create orders. Use them only with a sandbox.`,
  },
}

const deployServer = `
To deploy the server, set the variables of \`.env\` in its environment. To accept connections from other machines, also set
\`HOST=0.0.0.0\`. \`/healthz\` returns 200 while the server runs, and \`/readyz\` while the store is also available. The log contains one
line of JSON for each request; \`STOREPORT_LOG=error\` omits successful requests. On SIGTERM, the server waits for in-flight requests.
After \`npm install\` has written \`package-lock.json\`, \`docker build -t my-shop .\` builds a container.
`

const deployNext = `
To deploy the project, set the variables of \`.env\` in its environment, run \`npm run build\`, then \`npm start\`. To accept
connections from other machines, run \`npx next start -H 0.0.0.0 --keepAliveTimeout 65000\` instead. \`/readyz\` returns 503
while the store is not available. The log contains one line of JSON for each request. Instances on several machines do not share memory. They need a
store with a database, or a shared \`retries.ledger\` and \`scope\`. Otherwise, a double click can take effect twice.
`
