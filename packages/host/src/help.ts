import { settingRows } from './settings/settings.ts'

const commandRows: Readonly<Record<string, string>> = {
  serve: 'Serve the integration API with an example shop (default)',
  'seed --customers N': 'Add N generated customers to the database',
  reset: 'Restore the seed data; keep the API key and the token',
  'backup FILE': 'Copy the SQLite database to FILE, even while the host runs',
  bill: 'Create the orders that are due, once, and print their number',
  'history EMAIL [--failed] [--since 7d] [--json]':
    "Show a customer's clicks and their results. --since: such as 30m, 1h, 7d or 2026-03-01",
  'export EMAIL': 'Print all data about a customer as JSON',
  'erase EMAIL [--force] [--yes]':
    'Delete the data about a customer, except orders. --force also if an order is open, --yes needs no confirmation',
  'playground --url URL --key KEY': 'Show any shop as its customers see it',
}

const playgroundRows: Readonly<Record<string, string>> = {
  '--url, STOREPORT_URL': 'URL of the shop, without the base path',
  '--key, STOREPORT_API_KEY': 'API key of the shop',
  '--profile': "file with the shop's customers, products and codes",
}

/** Returns the text of `storeport COMMAND --help`, or of `storeport --help` if no command has this name. */
export function help(command?: string): string {
  const named = Object.entries(commandRows).filter(([usage]) => usage.split(' ', 1)[0] === command)
  const isAll = named.length === 0
  return [
    'Usage: storeport [command] [options]',
    ...section('Commands', isAll ? Object.entries(commandRows) : named),
    ...(isAll || command === 'serve' ? section('Options, their environment variables and defaults', optionRows()) : []),
    ...(isAll || command === 'playground'
      ? section(
          'Options of the playground command (in addition to --vendor, --currency, --port, --host, --data, --playground and --shop-name)',
          Object.entries(playgroundRows),
        )
      : []),
    ...(isAll ? [] : ['', 'storeport --help prints all commands, and options such as --data and --store.']),
  ].join('\n')
}

function optionRows(): readonly (readonly string[])[] {
  return [
    ...Object.entries(settingRows).map(([flag, { variable, meaning }]) => [`--${flag}, ${variable}`, meaning]),
    ['-h, --help', 'print this help'],
    ['--version', 'print the version'],
  ]
}

function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  const width = Math.max(...rows.map(([name = '']) => name.length)) + 2
  return ['', `${title}:`, ...rows.map(([name = '', meaning]) => `  ${name.padEnd(width)}${meaning}`)]
}
