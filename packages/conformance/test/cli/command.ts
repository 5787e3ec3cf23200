import type { RequestListener } from 'node:http'
import { createIntegration, type Integration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { serve, toNodeListener } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { listening } from '@storeport/testing/listen'
import { onTestFinished } from 'vitest'
import { run } from '../../src/cli/run.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

/** Options of `command`. */
export interface CommandOptions {
  /** Environment variables; defaults to `STOREPORT_API_KEY` with the key of the test shops. */
  readonly env?: Readonly<Record<string, string>>
  /** Signal that interrupts the command. */
  readonly interrupt?: AbortSignal
}

/** Runs `storeport-conformance` in this process. Returns the exit code and the output. */
export async function command(words: readonly string[], { env, interrupt }: CommandOptions = {}) {
  const terminal = recordedTerminal()
  const signal = interrupt ?? new AbortController().signal
  const code = await run(words, env ?? { STOREPORT_API_KEY: apiKey }, terminal, signal)
  return { code, ...terminal.written }
}

/** The API key of the test shops. */
export const apiKey = 'command-key-0123456789'

/** Starts a server on a free port, and stops the server after the test. Returns the URL. */
export async function startServer(listener: RequestListener): Promise<string> {
  const { url, stop } = await listening(listener)
  onTestFinished(stop)
  return url
}

/** Starts a shop, and stops the shop after the test. Returns the URL. Defaults to a correct shop with seed data. */
export async function startShop(store?: StorePort, options?: Partial<IntegrationOptions>): Promise<string> {
  const { url, close } = await serve(createShop(store, options), { port: 0, closeTimeoutMs: 0 })
  onTestFinished(close)
  return url
}

/** Creates the request listener of a shop; defaults to a correct shop with seed data. */
export function shopListener(store?: StorePort, options?: Partial<IntegrationOptions>): RequestListener {
  return toNodeListener(createShop(store, options))
}

function createShop(store: StorePort = createMemoryStore(), options: Partial<IntegrationOptions> = {}): Integration {
  return createIntegration({ store, apiKeys: [apiKey], onError: () => {}, ...options })
}

/** Creates a terminal that records its output. */
export function recordedTerminal(): Terminal & { readonly written: { out: string; err: string } } {
  const written = { out: '', err: '' }
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    outHasColors: false,
    errHasColors: false,
  }
}

/** Starts a shop whose `getDiscount` fails and whose responses lack the header `X-Content-Type-Options`. */
export function startFaultyShop(): Promise<string> {
  const shop = shopListener({ ...createMemoryStore(), getDiscount: () => Promise.reject(new Error('no such table')) })
  return startServer((req, res) => {
    const { writeHead } = res
    res.writeHead = (...args: unknown[]) => {
      const headers = args.at(-1)
      if (typeof headers === 'object' && headers !== null) Reflect.deleteProperty(headers, 'X-Content-Type-Options')
      return Reflect.apply(writeHead, res, args)
    }
    shop(req, res)
  })
}

/** Sends a body that never ends. */
export function endless(...[, res]: Parameters<RequestListener>): void {
  const chunk = Buffer.alloc(65_536, ' ')
  const more = () => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', more)
  }
  more()
}
