import { readdirSync, readFileSync } from 'node:fs'

/** Parts of the text that other documents have, too. */
export interface SharedParts {
  readonly minimalStore: string
  readonly endpoints: string
  readonly options: string
  readonly errors: string
}

/** The whole library on one page, for a reader that is a program: what to write, what holds, and where the rest stands. */
export function llmsText({ minimalStore, endpoints, options, errors }: SharedParts): string {
  return [
    '# StorePort',
    '> A TypeScript library (npm scope `@storeport`, Node 20.19 or later) that serves the subscription commerce integration API: eleven HTTP JSON endpoints that an email marketing platform, the caller, calls when a customer clicks in an email. You implement the `StorePort` interface; StorePort checks key, path, method, size and fields, lets a click count once, checks what your methods answer, and turns errors into the one form that the caller reads.',
    '## A whole server',
    '`npm i @storeport/core @storeport/node`',
    minimalStore,
    '`npm create storeport@latest my-shop` writes a project: Node, Express, Fastify, Hono or Next.js, over memory, SQLite, PostgreSQL or a store of your own.',
    '## What a store does',
    [
      '- Methods are `async (input, context) => output`, each optional: a missing one hides its widget or button. Fields are `snake_case`, on the wire and in TypeScript.',
      '- An action returns nothing. `getSubscription` and `getDiscount` may return `null` for "not found".',
      '- Refuse with `throw new StoreError(code, message?)`, a code of the table below. Anything else that is thrown is 500, and the caller sees none of it.',
      '- Dates are texts `YYYY-MM-DD`, never `Date`. Amounts are numbers in major units, rounded to the decimals of `currency` on the way out.',
      '- An email address matches in any letter case. What belongs to another customer is not found, whatever id the body names.',
      '- `items[].id` of `getSubscription` is the id of the product, as `listProducts` gives it.',
      '- A repeat of a click gets the stored success; your method is not called. `context.idempotencyKey` is the same for all attempts of a click: pass it to systems that take such keys. After an unknown outcome, your `reconcile(name, input, context)` returns `applied`, `not_applied` (nothing sent under this key can still apply) or `unknown`.',
      '- Several processes need a shared ledger and the option `scope`: `createSqlLedger({ dialect, run })` of `@storeport/core` over your own connection, or `redisLedger` of `@storeport/redis`. `@storeport/store-sql` needs neither. A single process is declared with `retries: { ledger: memoryLedger(), processes: 1 }`.',
      '- Over tables of your own: `sendNow: keepsClicks((input, context) => transaction((run) => clicks.once(run, context, work)))` stores the click in the transaction of the change.',
    ].join('\n'),
    '## Endpoints',
    endpoints,
    'Paths follow `/integration`. Every call carries `X-Integration-API-Key`. A success is `{"success":true}`, with `data` for reads; an error is `{"success":false,"error":{"code","message"}}`.',
    '## Error codes',
    errors,
    '## Options of `createIntegration`',
    options,
    '## Check it',
    '`npx @storeport/conformance https://shop.example --key KEY` tries every requirement over HTTP: exit code 0 is READY, 1 NOT CONFORMING, 3 INCOMPLETE, 4 CONFORMS, NOT READY, 2 could not be checked. `--read-only` changes nothing.',
    '## Read on',
    guides().join('\n'),
    '',
  ].join('\n\n')
}

/** Every page of the guide with its first sentence. */
function guides(): string[] {
  const pages = readdirSync('docs/guide', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return pages.toSorted().map((file) => {
    const [title = '', about = ''] = readFileSync(`docs/guide/${file}`, 'utf8').split(/\n\n/)
    const sentence = about.replaceAll('\n', ' ').replace(/(?<=[.?])\s.*$/, '')
    return `- [${title.replace(/^# /, '')}](docs/guide/${file}): ${sentence}`
  })
}
