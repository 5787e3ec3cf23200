#!/usr/bin/env node
import { type EndpointName, endpoints, type Integration, shownParts } from '@storeport/core'
import { help } from './help.ts'
import { limitHeap } from './limit-heap.ts'
import { nameTypedOptions, readSettings, suggest } from './settings/settings.ts'
import { endOnUncaught, onFirstSignal, SettingsError } from '@storeport/node'
import type { RunningHost } from './start-host.ts'
import manifest from '../package.json' with { type: 'json' }
import pc from 'picocolors'

// Restricts all new files to the owner, because the data folder contains keys and customer data.
process.umask(0o077)

const args = process.argv.slice(2)
const flags = args.slice(1)
const commands: Readonly<Record<string, () => Promise<void>>> = {
  serve: () => serve(flags),
  backup: async () => (await import('./database-commands.ts')).backupCommand(flags, process.env),
  bill: async () => (await import('./database-commands.ts')).billCommand(flags, process.env, abortOnSignal()),
  export: async () => (await import('./history/privacy-commands.ts')).exportCommand(flags, process.env),
  erase: async () => (await import('./history/privacy-commands.ts')).eraseCommand(flags, process.env),
  history: async () => (await import('./history/history-command.ts')).historyCommand(flags, process.env),
  seed: async () => (await import('./database-commands.ts')).seedCommand(flags, process.env),
  reset: async () => (await import('./database-commands.ts')).resetCommand(flags, process.env),
  playground: () => showPlayground(flags),
}

// Without this listener, a closed pipe, such as of `head`, ends the process with a stack trace. The command continues,
// because `erase` must not stop halfway.
process.stdout.on('error', reportLostOutput)

if (args.includes('--help') || args.includes('-h')) console.log(help(args[0]))
else if (args.includes('--version')) console.log(manifest.version)
else void run(findCommand(args[0]))

/** Returns the command that the first argument names. If no command is named, all arguments are options of `serve`. */
function findCommand(word: string | undefined): () => Promise<void> {
  if (word === undefined || word.startsWith('-')) return () => serve(args)
  const known = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (known !== undefined) return known
  const names = Object.keys(commands)
  const problem = `Unknown command '${word}'.${suggest(word, names)} The commands are ${names.join(', ')}.`
  return () => Promise.reject(new SettingsError(problem))
}

function reportLostOutput(error: Error): void {
  const code = 'code' in error ? error.code : error.message
  if (code === 'EPIPE') return
  console.error(`storeport: the output cannot be written (${String(code)})`)
  process.exitCode = 1
}

async function serve(options: readonly string[]): Promise<void> {
  // The log counts the lines that it cannot write.
  process.stdout.off('error', reportLostOutput)
  limitHeap()
  // Imported after `limitHeap`, because loading modules grows the heap.
  const { startHost } = await import('./start-host.ts')
  const host = await startHost(readSettings(options, process.env))
  // Registered before the banner is printed, because a program may send a signal when it reads the banner.
  stopOnSignal(host.close)
  endOnUncaught(host.log)
  console.log(banner(host))
}

async function showPlayground(options: readonly string[]): Promise<void> {
  const { playgroundCommand } = await import('./playground-command.ts')
  const { playgroundUrl, close } = await playgroundCommand(options, process.env)
  stopOnSignal(close)
  console.log(`Open the playground at ${playgroundUrl}`)
}

async function run(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(`storeport: ${nameTypedOptions(error.message, args)}`)
    process.exitCode = 1
  }
}

/** Runs `close` on the first signal, then exits with 0. */
function stopOnSignal(close: () => Promise<void>): void {
  onFirstSignal(() => void close().then(() => process.exit(0)))
}

function abortOnSignal(): AbortSignal {
  const ended = new AbortController()
  onFirstSignal(() => ended.abort())
  return ended.signal
}

/** Returns the text printed at start: URL, API key, visible widgets and example requests. */
function banner({ url, integration, keys, playgroundUrl, metricsUrl, paused }: RunningHost): string {
  return [
    '',
    `  ${pc.bold('StorePort')} listens on ${pc.cyan(url)}`,
    ...(metricsUrl === undefined ? [] : [`  Metrics at ${pc.cyan(metricsUrl)}`]),
    ...(playgroundUrl === undefined
      ? []
      : ['', `  Open ${pc.cyan(playgroundUrl)}`, '  in a browser to see what a customer sees.']),
    ...(keys.file === undefined ? [] : ['', `  ${pc.bold('API key')}  ${describeKey(keys.created, keys.file)}`]),
    '',
    `  ${pc.bold('The email platform will show')}`,
    ...partLines(integration.offered, paused),
    '',
    `  ${pc.bold('Try')}`,
    ...curlLines(url, integration, keys.shellWords).map((line) => `    ${line}`),
    '',
  ].join('\n')
}

function describeKey(created: string | undefined, file: string): string {
  return created === undefined ? `in ${file}` : `${pc.yellow(created)}  ${pc.dim(`(shown once, stored in ${file})`)}`
}

/** Returns a line for each widget and button. A part is paused if an endpoint that it requires is paused. */
function partLines(offered: readonly EndpointName[], paused: readonly EndpointName[]): readonly string[] {
  const running = shownParts(offered.filter((name) => !paused.includes(name)))
  return shownParts(offered).map(({ title, isButton, shown }, index) => {
    const isPaused = shown && running[index]?.shown === false
    const mark = isPaused ? pc.yellow('‖') : shown ? pc.green('✓') : pc.red('✗')
    return `    ${isButton ? '  ' : ''}${mark} ${title}${isPaused ? ' (paused: its requests fail with 503)' : ''}`
  })
}

/** Returns curl commands to paste into a shell. */
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
