#!/usr/bin/env node
import { banner } from './banner.ts'
import { describeError } from '@storeport/core'
import { help } from './commands/help.ts'
import { limitHeap } from './limit-heap.ts'
import { readSettings } from './settings/settings.ts'
import { SettingsError } from './settings/settings-error.ts'
import type { RunningHost } from './start-host.ts'
import { version } from './version.ts'

// What it writes holds keys and customers: nobody else may read it, also the files that SQLite makes.
process.umask(0o077)

const args = process.argv.slice(2)
const flags = args.slice(1)
const commands: Readonly<Record<string, () => Promise<void>>> = {
  serve: () => serve(flags),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(flags, process.env),
  bill: async () => (await import('./commands/bill.ts')).billCommand(flags, process.env, abortOnSignal()),
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommand(flags, process.env),
  seed: async () => (await import('./commands/seed.ts')).seedCommand(flags, process.env),
  reset: async () => (await import('./commands/reset.ts')).resetCommand(flags, process.env),
  playground: () => showPlayground(flags),
}

if (args.includes('--help') || args.includes('-h')) console.log(help())
else if (args.includes('--version')) console.log(version)
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
  const { playgroundCommand } = await import('./commands/playground.ts')
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
