import { allFlags, meanings, variableOf } from './settings/settings.ts'

type Rows = readonly (readonly [name: string, meaning: string])[]

const commandGroups: Readonly<Record<string, Rows>> = {
  Commands: [
    ['serve', 'Serve the integration API with an example shop (default)'],
    ['playground --url URL --key KEY', 'Show any shop as its customers see it'],
  ],
  'Commands for the database': [
    ['seed --customers N', 'Add N generated customers'],
    ['reset [--yes]', 'Restore the seed data; keep the API key and the token. --yes needs no confirmation'],
    ['backup FILE', 'Copy the SQLite database to FILE, even while the host runs'],
    ['bill', 'Create the orders that are due, once, and print their number'],
  ],
  'Commands for customer support': [
    [
      'history EMAIL [--failed] [--since 7d] [--json]',
      "Show a customer's clicks and their results. --since: such as 30m, 1h, 7d or 2026-03-01",
    ],
    ['export EMAIL', 'Print all data about a customer as JSON'],
    [
      'erase EMAIL [--force] [--yes]',
      'Delete the data about a customer, except orders. --force also if an order is open, --yes needs no confirmation',
    ],
  ],
}

const playgroundRows: Rows = [
  ['--url, STOREPORT_URL', 'URL of the shop, without the base path'],
  ['--key, STOREPORT_API_KEY', 'API key of the shop'],
  ['--profile', "file with the shop's customers, products and codes"],
  ['Also', '--vendor, --currency, --port, --host, --data, --playground and --shop-name'],
]

/** Titles of the groups of options, by the first option of the group. */
const optionTitles: Readonly<Record<string, string>> = {
  port: 'Options of the server, their environment variables and defaults',
  store: 'Options of the shop',
  paused: 'Options of the endpoints and the playground',
  metrics: 'Options for operation',
}

const examples = [
  '',
  'Examples:',
  '  storeport --port 3001',
  '  storeport history subscription@example.com --since 1d',
  '  storeport playground --url https://shop.example --key KEY',
]

/** Returns the text of `storeport COMMAND --help`, or of `storeport --help` if no command has this name. */
export function help(command?: string): string {
  const named = Object.values(commandGroups)
    .flat()
    .filter(([usage]) => usage.split(' ', 1)[0] === command)
  const isAll = named.length === 0
  const groups = isAll ? Object.entries(commandGroups) : ([['Commands', named]] as const)
  return [
    'Usage: storeport [command] [options]',
    ...(isAll ? examples : []),
    ...groups.flatMap(([title, rows]) => [...titleLines(title), ...rows.flatMap(lines)]),
    ...(isAll || command === 'serve' ? optionLines() : []),
    ...(isAll || command === 'playground'
      ? [...titleLines('Options of the playground command'), ...playgroundRows.flatMap(lines)]
      : ['', 'storeport --help prints all commands, and options such as --data and --store.']),
  ].join('\n')
}

function optionLines(): readonly string[] {
  return [
    ...allFlags.flatMap((flag) => [
      ...titleLines(optionTitles[flag]),
      ...lines([`--${flag}, ${variableOf(flag)}`, meanings[flag]]),
    ]),
    ...lines(['-h, --help', 'print this help']),
    ...lines(['--version', 'print the version']),
  ]
}

function titleLines(title: string | undefined): readonly string[] {
  return title === undefined ? [] : ['', `${title}:`]
}

/** Returns a row in at most 100 columns. The meaning of a long name starts on the next line. */
function lines([name, meaning]: Rows[number]): readonly string[] {
  const [first = '', ...rest] = meaning.match(/\S.{0,59}(?= |$)/g) ?? []
  const indented = rest.map((line) => line.padStart(line.length + 40))
  if (name.length < 38) return [`  ${name.padEnd(38)}${first}`, ...indented]
  return [`  ${name}`, first.padStart(first.length + 40), ...indented]
}
