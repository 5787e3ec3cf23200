import { type DocumentedCommand, readCommands } from './read-commands.ts'

/** What tries a command of the documentation: a part of a test here, another file that runs it, or nothing, with its reason. */
export type Trier =
  | 'install'
  | 'create'
  | 'serve'
  | 'check a shop'
  | 'follow a README'
  | 'run in a test suite'
  | 'in a clone'
  | { readonly file: string }
  | { readonly isName: true }
  | { readonly notHere: string }

type Row = readonly [command: RegExp, trier: Trier]

/** The first row whose pattern fits says who tries a command. */
const rows: readonly Row[] = [
  [/^npm (?:install|i) (?:\S+ )*@storeport/, 'install'],
  [/^npm create storeport@latest my-shop/, 'create'],
  [/^npx (?:-p )?@storeport\/host/, 'serve'],
  [/^(?:STOREPORT_API_KEY=… )?npx @storeport\/conformance (?:https?:|--)/, 'check a shop'],
  [
    /^(?:npm install --save-dev tsx|STOREPORT_API_KEY=\S+ npx (?:tsx server|next dev).*|curl -H .*)$/,
    'follow a README',
  ],
  [/^export STOREPORT_API_KEY=/, { file: 'test/obtain/registry.slow.test.ts' }],
  [/^(?:npx vitest run shop\.test\.mts|node --test|node --import tsx --test shop\.test\.mts)$/, 'run in a test suite'],

  [/^npm ci && npm start$/, 'in a clone'],
  [/^(?:npx )?storeport (?:seed --|bill|reset|--help)/, 'in a clone'],
  [/^storeport ledger forgot$/, { file: 'packages/host/test/ledger.slow.test.ts' }],
  [/^npx storeport backup \S+ --store /, { file: 'test/go-live/walk.slow.test.ts' }],
  [/^(?:npx )?storeport-conformance (?:https|--)/, 'in a clone'],
  [/^(?:npx create-storeport \S+|node path\/to\/clone.*) --from /, 'in a clone'],

  [/^npm ci(?: && npm test)?$/, { file: '.ci/run' }],
  [/^npm run bench -- --full$/, { notHere: 'takes an hour of a machine that does nothing else' }],
  [/^(?:npm run registry|export npm_config_registry=)/, { file: 'test/obtain/registry.slow.test.ts' }],
  [/^(?:curl "\$SHOP|SHOP=|STOREPORT_API_KEY=the-key)/, { file: 'test/api-page.slow.test.ts' }],
  [
    /^(?:npx storeport backup \S+|mkdir|mv|cp|pg_dump|psql|pg_restore)(?: |$)/,
    { file: 'test/go-live/backup.slow.test.ts' },
  ],
  [/^(?:openssl|printf) /, { file: 'test/obtain/make-keys.slow.test.ts' }],
  [/^npm start -w examples\/stripe$/, { file: 'test/mounts/stripe.slow.test.ts' }],
  [/^npm (?:install|start|test|run (?:check|types))$/, { file: 'test/go-live/walk.slow.test.ts' }],
  [/^npm run playground$/, { file: 'test/obtain/registry.slow.test.ts' }],
  [/^npm run build:page$/, { file: '.ci/run' }],

  [/^(?:npm create(?: storeport(?:@latest)?)?|create-storeport --from)$/, { isName: true }],
  [/^storeport seed$/, { isName: true }],
  [/^npx (?:@storeport\/conformance|storeport|storeport-conformance|create-storeport)$/, { isName: true }],
  [/^node scripts\/subset-fonts\.mjs$/, { notHere: 'it replaces fonts that are kept, with those of a newer release' }],
  [/^STOREPORT_PICTURES=take /, { notHere: 'it replaces what the pictures are compared with' }],
  [/^npx vitest run test\/hardening$/, { notHere: 'it runs the tests of which this is one' }],
  [/^npm cache clean --force$/, { notHere: 'it empties what every other test takes packages from' }],
  [
    /^docker /,
    { notHere: 'there is no container engine; packages/create-storeport/test/project-files.test.ts reads the files' },
  ],
  [/^php -S /, { notHere: "it stands for the reader's own shop; the reference host takes its place" }],
  [/^node --import \.\/tracing\.mjs …$/, { notHere: "the file is the reader's own" }],
]

/** Who tries a command, and `undefined` for one that nobody does. */
export function whoTries(command: DocumentedCommand): Trier | undefined {
  return rowOf(command)?.[1]
}

function rowOf({ command }: DocumentedCommand): Row | undefined {
  return rows.find(([pattern]) => pattern.test(command))
}

/** The commands that a part of a test here tries, each once. */
export function commandsFor(trier: Extract<Trier, string>): readonly string[] {
  const own = readCommands().filter((one) => whoTries(one) === trier)
  return [...new Set(own.map(({ command }) => command))]
}

/** The rows that no command of the documentation reaches. */
export function rowsWithoutCommand(): readonly RegExp[] {
  const reached = new Set(readCommands().map(rowOf))
  return rows.filter((row) => !reached.has(row)).map(([pattern]) => pattern)
}
