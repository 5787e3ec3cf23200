#!/usr/bin/env node
import { describeError, endpoints, type Integration, shownParts } from '@storeport/core'
import { limitHeap } from './limit-heap.ts'
import { readSettings, settingRows, SettingsError } from './settings/settings.ts'
import type { RunningHost } from './start-host.ts'
import manifest from '../package.json' with { type: 'json' }
import pc from 'picocolors'

// What it writes holds keys and customers: nobody else may read it, also the files that SQLite makes.
process.umask(0o077)

const args = process.argv.slice(2)
const flags = args.slice(1)
const commands: Readonly<Record<string, () => Promise<void>>> = {
  serve: () => serve(flags),
  backup: async () => (await import('./database-commands.ts')).backupCommand(flags, process.env),
  bill: async () => (await import('./database-commands.ts')).billCommand(flags, process.env, abortOnSignal()),
  ledger: async () => (await import('./database-commands.ts')).ledgerCommand(flags, process.env),
  seed: async () => (await import('./database-commands.ts')).seedCommand(flags, process.env),
  reset: async () => (await import('./database-commands.ts')).resetCommand(flags, process.env),
  playground: () => showPlayground(flags),
}

if (args.includes('--help') || args.includes('-h')) console.log(help())
else if (args.includes('--version')) console.log(manifest.version)
else void run(commands[args[0] ?? ''] ?? (() => serve(args)))

async function serve(given: readonly string[]): Promise<void> {
  limitHeap()
  // What is loaded makes the heap grow, too.
  const { startHost } = await import('./start-host.ts')
  const host = await startHost(readSettings(given, process.env))
  // A program that reads the banner may send a signal at once.
  stopOnSignal(host.close)
  endOnUncaught(host)
  console.log(banner(host))
}

async function showPlayground(given: readonly string[]): Promise<void> {
  const { playgroundCommand } = await import('./playground-command.ts')
  const { playgroundUrl, close } = await playgroundCommand(given, process.env)
  stopOnSignal(close)
  console.log(`Open the playground at ${playgroundUrl}`)
}

async function run(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(`storeport: ${error.message}`)
    process.exitCode = 1
  }
}

/** Ends the process with 0 when what is in flight has been finished. */
function stopOnSignal(close: () => Promise<void>): void {
  onFirstSignal(() => void close().then(() => process.exit(0)))
}

function abortOnSignal(): AbortSignal {
  const ended = new AbortController()
  onFirstSignal(() => ended.abort())
  return ended.signal
}

/** Time in which several signals are one, in milliseconds: npm hands on what a terminal has sent to all of its programs. */
const sameSignalMs = 200

/** A second signal does not wait. */
function onFirstSignal(act: () => void): void {
  let first: number | undefined
  const receive = () => {
    if (first !== undefined && performance.now() - first > sameSignalMs) process.exit(1)
    if (first !== undefined) return
    first = performance.now()
    act()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive)
}

/** After an error that nobody caught the state of the process is unknown: it ends, to be restarted. */
function endOnUncaught({ log, flushLog }: RunningHost): void {
  process.on('uncaughtException', async (error: unknown) => {
    log.fatal(describeError(error), 'an error that nobody caught')
    await flushLog(1000)
    process.exit(1)
  })
}

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

/** What the host says when it listens: address, key, what the caller will show, and calls to paste. */
export function banner({ url, integration, keys, playgroundUrl, metricsUrl }: RunningHost): string {
  return [
    '',
    `  ${pc.bold('StorePort')} listens on ${pc.cyan(url)}`,
    ...(metricsUrl === undefined ? [] : [`  Metrics at ${pc.cyan(metricsUrl)}`]),
    ...(playgroundUrl === undefined
      ? []
      : ['', `  Open ${pc.cyan(playgroundUrl)}`, '  in a browser to see what a customer sees.']),
    ...(keys.made === undefined
      ? []
      : ['', `  ${pc.bold('API key')}  ${pc.yellow(keys.made)}  ${pc.dim('(shown once)')}`]),
    '',
    `  ${pc.bold('The caller will show')}`,
    ...shownParts(integration.offered).map(
      ({ title, isButton, shown }) => `    ${isButton ? '  ' : ''}${shown ? pc.green('✓') : pc.red('✗')} ${title}`,
    ),
    '',
    `  ${pc.bold('Try')}`,
    ...curlLines(url, integration, keys.shellWords).map((line) => `    ${line}`),
    '',
  ].join('\n')
}

/** Calls that work when they are pasted into a shell in the same folder. */
function curlLines(url: string, { basePath, apiKeyHeader }: Integration, keyWords: string): string[] {
  const curl = `curl -H "${apiKeyHeader}: ${keyWords}"`
  const at = (name: keyof typeof endpoints) => `${url}${basePath}${endpoints[name].path}`
  const body = `{"email":"subscription@example.com","product_id":"test_54321","one_time":true}`
  return [
    `${curl} ${at('listProducts')}`,
    `${curl} '${at('getSubscription')}?email=subscription@example.com'`,
    `${curl} -H 'Content-Type: application/json' -d '${body}' ${at('addProduct')}`,
  ]
}
