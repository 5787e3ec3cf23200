import { settingRows } from '../settings/settings.ts'

/** What `storeport --help` says. */
export function help(): string {
  const rows = Object.entries(settingRows)
  const width = Math.max(...rows.map(([flag, { variable }]) => flag.length + variable.length)) + 8
  return [
    'storeport [serve]: serves the subscription commerce integration API with a seeded store',
    'storeport seed --customers N: adds made-up customers to its database',
    'storeport reset: puts the seed and its date back, where the database holds nothing else; key and token stay',
    'storeport backup FILE: writes a copy of its SQLite database, as of one moment, while the host goes on',
    'storeport bill: makes the orders that are due, once, and prints how many',
    'storeport ledger forgot: marks the ledger as young for 24 hours, after a failover or a restored backup lost clicks',
    'storeport playground --url https://shop.example --key KEY [--profile FILE] [--currency CODE] [--shop-name NAME]: shows any implementation as the customer sees it',
    '',
    ...rows.map(([flag, { variable, meaning }]) => `  ${`--${flag}, ${variable}`.padEnd(width)}${meaning}`),
    '',
    '  --help, --version',
  ].join('\n')
}
