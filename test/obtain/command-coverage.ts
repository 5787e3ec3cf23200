import { type DocumentedCommand, readCommands } from './read-commands.ts'

/**
 * How a documented command is tested: a group of tests in this folder, another test file, or the reason why no test
 * exists.
 */
export type Coverage =
  | 'install'
  | 'create'
  | 'serve'
  | 'check a shop'
  | 'follow a README'
  | 'run in a test suite'
  | 'in a clone'
  | { readonly file: string }
  | { readonly isName: true }
  | { readonly untested: string }

type Row = readonly [command: RegExp, coverage: Coverage]

/** The first row with a matching pattern applies. */
const rows: readonly Row[] = [
  [/^npm (?:install|i) (?:\S+ )*@storeport/, 'install'],
  [/^npm create storeport@latest my-shop/, 'create'],
  [/^npx (?:-p )?@storeport\/host/, 'serve'],
  [/ --profile profile\.jsonc$/, { file: 'test/mounts/own-database.slow.test.ts' }],
  [/ --customer EMAIL /, { untested: 'needs customers in a Stripe sandbox account' }],
  [/^(?:STOREPORT_API_KEY=… )?npx @storeport\/conformance (?:https?:|--)/, 'check a shop'],
  [
    /^(?:npm install --save-dev tsx|STOREPORT_API_KEY=\S+ npx (?:tsx server|next dev).*|curl -H .*)$/,
    'follow a README',
  ],
  [/^(?:cd my-shop$|\(\. \.\/\.env; curl )/, { file: 'test/obtain/registry.slow.test.ts' }],
  [/^export STOREPORT_API_KEY=/, { file: 'test/obtain/registry.slow.test.ts' }],
  [/^(?:npx vitest run shop\.test\.mts|node --test|node --import tsx --test shop\.test\.mts)$/, 'run in a test suite'],
  [
    /^(?:npm i --save-dev jest |node --experimental-vm-modules |npx vitest run$|node --import tsx --test shop\.test\.ts)/,
    { file: 'test/mounts/own-tests.slow.test.ts' },
  ],

  [/^npm ci && npm start$/, 'in a clone'],
  [/^npm start -- --port 3001$/, { file: 'packages/host/test/playground-command.test.ts' }],
  [/^(?:npx )?storeport (?:seed --|bill|reset|--help)/, 'in a clone'],
  [/^storeport serve$/, { file: 'packages/host/test/host.slow.test.ts' }],
  [/^storeport playground --url URL --key KEY$/, { file: 'packages/host/test/playground-command.test.ts' }],
  [/^storeport history /, { file: 'packages/host/test/history.test.ts' }],
  [/^storeport (?:export|erase) EMAIL$/, { file: 'packages/store-sql/test/privacy/privacy.test.ts' }],
  [/^npx storeport backup \S+ --store /, { file: 'test/go-live/walk.slow.test.ts' }],
  [/^(?:npx )?storeport-conformance (?:https|--)/, 'in a clone'],
  [/^storeport-conformance show$/, { file: 'packages/conformance/test/cli/saved-report.test.ts' }],
  [/^(?:npx create-storeport \S+|node path\/to\/clone.*) --from /, 'in a clone'],

  [/^(?:npx )?storeport-stripe (?:inspect|verify)/, { file: 'packages/store-stripe/test/cli.slow.test.ts' }],
  [/^npm ci(?: && npm test)?$/, { file: '.ci/run' }],
  [/^(?:npm run registry|export npm_config_registry=)/, { file: 'test/obtain/registry.slow.test.ts' }],
  [/^(?:curl "\$SHOP|SHOP=|STOREPORT_API_KEY=the-key)/, { file: 'test/api-page.slow.test.ts' }],
  [
    /^(?:(?:npx )?storeport backup \S+|mkdir|mv|cp|pg_dump|psql|pg_restore)(?: |$)/,
    { file: 'test/go-live/backup.slow.test.ts' },
  ],
  [
    /^(?:sqlite3 shop\.db |export DATABASE=|python3 |PHP_CLI_SERVER_WORKERS=)/,
    { file: 'test/languages/languages.slow.test.ts' },
  ],
  [/^(?:openssl|printf) /, { file: 'test/obtain/make-keys.slow.test.ts' }],
  [/^npm start -w examples\/stripe$/, { file: 'test/mounts/stripe.slow.test.ts' }],
  [/^npm (?:install|start|test|run (?:build|check|dev|types|playground))$/, { file: 'test/go-live/walk.slow.test.ts' }],
  [/^npm run bill$/, { file: 'test/mounts/own-database.slow.test.ts' }],
  [/^npm run build:page$/, { file: '.ci/run' }],

  [/^(?:npm create(?: storeport(?:@latest)?)?|create-storeport --from)$/, { isName: true }],
  [/^npx (?:@storeport\/conformance|storeport|storeport-conformance|create-storeport)$/, { isName: true }],
  [/^node scripts\/subset-fonts\.mjs$/, { untested: 'replaces the committed fonts with those of a newer release' }],
  [/^STOREPORT_IMAGES=take /, { untested: 'replaces the reference images' }],
  [/^npm cache clean --force$/, { untested: 'empties the cache that the other tests use' }],
  [
    /^docker /,
    { untested: 'needs a container engine; packages/create-storeport/test/project-files.test.ts reads the files' },
  ],
  [/^php -S /, { untested: "represents the reader's own shop; the tests use the reference host instead" }],
  [/^node --import \.\/tracing\.mjs …$/, { untested: 'uses a file that the reader writes' }],
]

/** Returns how a command is tested, or `undefined` if no row of the table matches. */
export function coverageOf(command: DocumentedCommand): Coverage | undefined {
  return rowOf(command)?.[1]
}

function rowOf({ command }: DocumentedCommand): Row | undefined {
  return rows.find(([pattern]) => pattern.test(command))
}

/** Returns the commands for a group of tests, without duplicates. */
export function commandsFor(group: Extract<Coverage, string>): readonly string[] {
  const commands = readCommands().filter((command) => coverageOf(command) === group)
  return [...new Set(commands.map(({ command }) => command))]
}

/** Returns the patterns of rows that match no command in the documentation. */
export function rowsWithoutCommand(): readonly RegExp[] {
  const used = new Set(readCommands().map(rowOf))
  return rows.filter((row) => !used.has(row)).map(([pattern]) => pattern)
}
