import type { RequestListener } from 'node:http'
import { createIntegration, type Integration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { serve, toNodeListener } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { listening } from '@storeport/testing/listen'
import { onTestFinished } from 'vitest'
import { run } from '../../src/cli/run.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

/** What a run of the command is given besides its words. */
export interface CommandSurroundings {
  /** Its environment; default the key of these tests' shops. */
  readonly env?: Readonly<Record<string, string>>
  /** What interrupts it; default nothing. */
  readonly interrupt?: AbortSignal
}

/** Runs the command in this process, and answers with its exit code and what it wrote. */
export async function command(words: readonly string[], { env, interrupt }: CommandSurroundings = {}) {
  const terminal = recordedTerminal()
  const signal = interrupt ?? new AbortController().signal
  const code = await run(words, env ?? { STOREPORT_API_KEY: apiKey }, terminal, signal)
  return { code, ...terminal.written }
}

/** The key that the shops of these tests accept. */
export const apiKey = 'command-key-0123456789'

/** Serves on a free port until the test is over, and answers with the address. */
export async function startServer(listener: RequestListener): Promise<string> {
  const { url = '', stop = () => {} } = await listening(listener)
  onTestFinished(stop)
  return url
}

/** Serves a correct shop with the seed until the test is over, and answers with its address. */
export async function startShop(store?: StorePort, options?: Partial<IntegrationOptions>): Promise<string> {
  const { url, close } = await serve(createShop(store, options), { port: 0, closeTimeoutMs: 0 })
  onTestFinished(close)
  return url
}

/** A correct shop with the seed, as a listener that something can be put in front of. */
export function shopListener(store?: StorePort, options?: Partial<IntegrationOptions>): RequestListener {
  return toNodeListener(createShop(store, options))
}

function createShop(store: StorePort = createMemoryStore(), options: Partial<IntegrationOptions> = {}): Integration {
  return createIntegration({ store, apiKeys: [apiKey], onError: () => {}, ...options })
}

/** A terminal that keeps what is written to it. */
export function recordedTerminal(isWatched = false): Terminal & { readonly written: { out: string; err: string } } {
  const written = { out: '', err: '' }
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    outHasColors: false,
    errHasColors: false,
    isWatched,
    columns: () => 100,
  }
}
