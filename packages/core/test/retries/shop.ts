import { onTestFinished, vi } from 'vitest'
import type { ClickDocument, Context, IntegrationOptions, Ledger, StorePort } from '@storeport/core'
import { createIntegration, memoryLedger, StoreError, storesClicks } from '@storeport/core'
import { key as apiKey } from '../support.ts'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute

/** How a call of the store ends: with an unknown outcome, with a definite rejection, or never. */
export const lost = () => Promise.reject(new Error('lost'))
export const declined = () => Promise.reject(new StoreError('payment_failed'))
export const never = () => new Promise<void>(() => {})

const requests = {
  add: ['/upsells/add-product', { product_id: 'beans' }],
  undo: ['/upsells/undo-add-product', { product_id: 'beans' }],
  send: ['/customer-portal/send-now', {}],
} as const

/** Fields and properties that differ from a first, unnamed request. */
export interface Sent {
  /** The `Idempotency-Key`. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly email?: string
  readonly quantity?: number
  /** Returns whether the caller has disconnected. */
  readonly hasLeft?: () => boolean
}

/**
 * Replaces the clock until the test ends, and the timers of this package. HTTP clients of earlier test files still start
 * timers in this process while their connections are idle, which `vi.getTimerCount` must not count.
 */
function useFakeTimers(): void {
  const real = globalThis.setTimeout
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const fake = globalThis.setTimeout
  const start = (...timer: Parameters<typeof fake>) => {
    const [, , caller] = new Error().stack?.split('\n') ?? []
    return (caller?.includes('/packages/core/') ? fake : real)(...timer)
  }
  // Vitest removes its timers by the properties of the function.
  globalThis.setTimeout = Object.assign(start, fake)
}

/**
 * Opens a shop with fake timers. Each call of its store takes the next end of `script`, or succeeds. `calls` contains the
 * changes, and `keys` the `context.idempotencyKey` of each.
 */
export function openShop(
  script: (() => unknown)[] = [],
  changes: StorePort = {},
  options: Partial<IntegrationOptions> = {},
) {
  useFakeTimers()
  const calls: string[] = []
  const keys: string[] = []
  const errors: unknown[] = []
  const run =
    (name: string) =>
    async (_input: object, { idempotencyKey }: Context) => {
      calls.push(name)
      keys.push(idempotencyKey)
      await script.shift()?.()
    }
  const ledger = watch(memoryLedger())
  const methods = { addProduct: run('add'), undoAddProduct: run('undo'), sendNow: run('send') }
  const store: StorePort = { ledger, ...methods, ...changes }

  /** Starts a process that serves the shop. Its `post` returns status, error code, `Retry-After` and `replayed`. */
  function startProcess(own: StorePort = {}, ownOptions: Partial<IntegrationOptions> = {}) {
    const onError = (error: unknown) => void errors.push(error)
    const merged = { apiKeys: [apiKey], scope: 'my-shop', timeoutMs: 10 * second, onError, ...options, ...ownOptions }
    const integration = createIntegration({ ...merged, store: { ...store, ...own } })
    return async (name: keyof typeof requests, sent: Sent = {}): Promise<string> => {
      const { key, headers = {}, email = 'a@b.example', quantity, hasLeft = () => false } = sent
      const [path, fields] = requests[name]
      const all: Readonly<Record<string, string>> = {
        'x-integration-api-key': apiKey,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      }
      const response = await integration.answer({
        method: 'POST',
        path: `/integration${path}`,
        query: '',
        header: (header) => all[header],
        text: async () => JSON.stringify({ email, ...fields, quantity }),
        hasDisconnected: hasLeft,
      })
      const replayed = response.headers['Idempotency-Replayed'] && 'replayed'
      const { error } = JSON.parse(response.body)
      const parts = [response.status, error?.code, response.headers['Retry-After'], replayed]
      return parts.filter((part) => part !== undefined).join(' ')
    }
  }

  /** Starts a process whose methods store their clicks in tables. */
  function startStoring(own: Partial<IntegrationOptions> = {}, change: keyof typeof requests = 'add') {
    const { marked, ...tables } = createTables()
    const name = ({ add: 'addProduct', undo: 'undoAddProduct', send: 'sendNow' } as const)[change]
    const storing: StorePort = { ledger: tables.ledger, [name]: marked(run(change)) }
    return { ...tables, storing, post: startProcess(storing, own) }
  }
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { post: startProcess(), startProcess, startStoring, calls, keys, errors, ledger, store, wait, run }
}

/** A ledger whose `updates` can be counted, and whose next calls can be replaced. */
export interface WatchedLedger extends Ledger {
  updates: number
  /** Replaces a call of `update`, which is passed as `proceed`. Returns `undefined` to proceed. */
  intercept: (proceed: () => unknown) => Promise<unknown> | undefined
}

export function watch(ledger: Ledger): WatchedLedger {
  const watched: WatchedLedger = {
    isLocal: ledger.isLocal,
    updates: 0,
    intercept: () => undefined,
    update(key, decide) {
      watched.updates += 1
      const proceed = () => ledger.update(key, decide)
      // oxlint-disable-next-line typescript/consistent-type-assertions -- an intercepted call returns the result of `proceed`, or rejects
      return (watched.intercept(proceed) as ReturnType<typeof proceed> | undefined) ?? proceed()
    },
  }
  return watched
}

/** Tables that store documents in the transaction of a change. Like a locked row, the document is read before the change. */
export function createTables() {
  const documents = new Map<string, ClickDocument>()
  const ledger: Ledger = {
    update: (key, decide) => {
      const { result, document } = decide(documents.get(key), performance.now())
      if (document !== undefined) documents.set(key, document)
      return result
    },
  }
  const once = async ({ click }: Context, work: () => unknown) => {
    if (click === undefined) throw new Error('no click')
    let { result, document } = click.claim(documents.get(click.customer), performance.now(), performance.now())
    click.ledger = ledger
    if (result === 'run') {
      await work()
      ;({ document } = click.succeed(performance.now()))
    }
    if (document !== undefined) documents.set(click.customer, document)
    return result === 'run' ? 'done' : result
  }
  type Method = (input: object, context: Context) => Promise<unknown>
  const marked = (method: Method) =>
    storesClicks<object>((input, context) => once(context, () => method(input, context)))
  return { ledger, documents, once, marked }
}
