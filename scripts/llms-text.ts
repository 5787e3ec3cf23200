import { readdirSync, readFileSync } from 'node:fs'

/** Generated parts that `llms.txt` shares with other documents. */
export interface SharedParts {
  readonly minimalStore: string
  readonly endpoints: string
  readonly options: string
  readonly errors: string
}

/** Returns the content of `llms.txt`, a one-page summary of the library for language models. */
export function llmsText({ minimalStore, endpoints, options, errors }: SharedParts): string {
  return [
    '# StorePort',
    '> A TypeScript library (npm scope `@storeport`, Node 20.19 or later) that serves the subscription commerce integration API: eleven HTTP JSON endpoints that an email marketing platform, the caller, requests when a customer clicks in an email. You implement the `StorePort` interface. StorePort checks the API key, path, method, size and fields, counts each click once, checks the results of your methods, and returns all errors in one format.',
    '## A complete server',
    '`npm i @storeport/core @storeport/node`',
    minimalStore,
    '`npm create storeport@latest my-shop` creates a project with Node, Express, Fastify, Hono or Next.js, and a store in memory, SQLite, PostgreSQL or your own store.',
    '## Rules for a store',
    [
      '- Methods are `async (input, context) => output`. Each is optional: if you omit it, the email platform hides the matching widget or button. Fields are `snake_case` in JSON and in TypeScript.',
      '- An action returns nothing. `getSubscription` and `getDiscount` may return `null` for "not found".',
      '- To reject a request, throw `new StoreError(code, message?)` with a code from the table below. Any other error becomes a 500 without details.',
      '- Dates are strings in the format `YYYY-MM-DD`, never `Date` objects. Amounts are numbers in major units. StorePort rounds them to the decimals of `currency`.',
      '- Compare email addresses without letter case. If an id belongs to another customer, respond as if it did not exist.',
      '- `items[].id` of `getSubscription` is the product id that `listProducts` returns.',
      '- A repeated click gets the stored success, and your method is not called. `context.idempotencyKey` is the same for all attempts of a click. Pass it to systems that accept such keys. After an unknown outcome, your `reconcile(name, input, context)` returns `applied`, `not_applied` (no request sent under this key can still take effect) or `unknown`.',
      '- Several processes need a shared ledger and the option `scope`: `createSqlLedger({ dialect, run })` of `@storeport/core` over your own connection, or `redisLedger` of `@storeport/redis`. `@storeport/store-sql` has its own ledger. For a single process, set `retries: { ledger: memoryLedger(), processes: 1 }`.',
      '- With your own tables, `sendNow: storesClicks((input, context) => transaction((run) => clicks.once(run, context, work)))` stores the click in the transaction of the change.',
    ].join('\n'),
    '## Endpoints',
    endpoints,
    'Paths follow `/integration`. Each request needs the header `X-Integration-API-Key`. A success is `{"success":true}`, with `data` for reads. An error is `{"success":false,"error":{"code","message"}}`.',
    '## Error codes',
    errors,
    '## Options of `createIntegration`',
    options,
    '## Test your shop',
    '`npx @storeport/conformance https://shop.example --key KEY` tests every requirement over HTTP. Exit codes: 0 READY, 1 NOT CONFORMING, 3 INCOMPLETE, 4 CONFORMS, NOT READY, 2 could not run the checks. `--read-only` changes nothing.',
    '## Guides',
    guides().join('\n'),
    '',
  ].join('\n\n')
}

/** Returns a list item for each guide page, with the first sentence of the page. */
function guides(): string[] {
  const pages = readdirSync('docs/guide', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return pages.toSorted().map((file) => {
    const [title = '', about = ''] = readFileSync(`docs/guide/${file}`, 'utf8').split(/\n\n/)
    const sentence = about.replaceAll('\n', ' ').replace(/(?<=[.?])\s.*$/, '')
    return `- [${title.replace(/^# /, '')}](docs/guide/${file}): ${sentence}`
  })
}
