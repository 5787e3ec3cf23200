import { type ClickDocument, type Ledger, memoryLedger } from '@storeport/core'
import { setImmediate } from 'node:timers/promises'
import { listMutants } from '../list-mutants.ts'

/** Defects in handling overlapping requests. */
export const mutants = listMutants({
  methods: {
    addProduct: {
      'whose add it is, is kept in a variable that all adds share': (addProduct) => {
        let email = ''
        return async (input, context) => {
          email = input.email
          await setImmediate()
          await addProduct({ ...input, email }, context)
        }
      },
    },
  },
  options: {
    'whether a key was used is read first and written later': {
      retries: { ledger: createNonAtomicLedger() },
    },
  },
  several: {
    // Without the guard, which lets one change of a customer run at a time.
    'of more than sixteen adds that wait the others are dropped': {
      options: { retries: false },
      store: ({ addProduct }) => ({
        addProduct: counted(async (running, input, context) => {
          if (running <= 16) await addProduct(input, context)
        }),
      }),
    },
    'of adds that arrive together only one is kept': {
      options: { retries: false },
      store: ({ addProduct }) => ({ addProduct: firstOnly(addProduct) }),
    },
    'of equal adds that overlap one is stored, whatever keys they have': {
      options: { retries: false },
      store: ({ addProduct }) => {
        const running = new Set<string>()
        return {
          addProduct: async (input, context) => {
            const click = JSON.stringify(input)
            if (running.has(click)) return
            running.add(click)
            await setImmediate()
            await addProduct(input, context).finally(() => running.delete(click))
          },
        }
      },
    },
    'of undos that overlap one is stored': {
      options: { retries: false },
      store: ({ undoAddProduct }) => ({ undoAddProduct: firstOnly(undoAddProduct) }),
    },
    'a call that is running counts as done for every other call under its key': {
      options: { retries: { ledger: createReplayingLedger() } },
      // Delays the method so that requests overlap.
      store: ({ addProduct }) => ({
        addProduct: async (input, context) => (await setImmediate(), addProduct(input, context)),
      }),
    },
    'a swap that overlaps another adds the new product once more': {
      options: { retries: false },
      store: ({ swapProduct, addProduct }) => ({
        swapProduct: counted(async (running, input, context) => {
          const { email, new_product_id: product_id } = input
          if (running === 1) await swapProduct(input, context)
          else await addProduct({ email, product_id, quantity: 1, one_time: false }, context)
        }),
      }),
    },
    'of more than sixteen equal clicks the others count again': {
      options: { retries: false },
      store: ({ addProduct }) => {
        let clicks = 0
        return {
          addProduct: async (input, context) => ([1, 17].includes(++clicks) ? addProduct(input, context) : undefined),
        }
      },
    },
  },
})

/** Counts the requests that run at the same time. `run` receives their number after a pause. */
export function counted<Input, Context, Result>(
  run: (running: number, input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  let running = 0
  return async (input, context) => {
    const count = ++running
    await setImmediate()
    return run(count, input, context).finally(() => (running -= 1))
  }
}

/** Ignores a request while another request is running. */
function firstOnly<Input, Context>(method: (input: Input, context: Context) => Promise<void>) {
  return counted<Input, Context, void>(async (running, input, context) => {
    if (running === 1) await method(input, context)
  })
}

/** Creates a ledger whose update is not atomic, so a concurrent write between its read and its write is lost. */
function createNonAtomicLedger(): Ledger {
  const documents = new Map<string, ClickDocument>()
  return {
    async update(key, change) {
      const stored = documents.get(key)
      await setImmediate()
      const { result, document } = change(stored, performance.now())
      if (document !== undefined) documents.set(key, document)
      return result
    },
  }
}

/** Creates a ledger that reports a replay to all other requests of a click while its first request is in flight. */
function createReplayingLedger(): Ledger {
  const correct = memoryLedger()
  const running = new Set<string>()
  return {
    update: (key, change) =>
      correct.update(key, (...stored) => {
        const changed = change(...stored)
        const state = changed.result instanceof Object && 'state' in changed.result ? changed.result.state : undefined
        if (running.has(key) && (state === 'running' || state === 'reused'))
          return { result: Object.assign({}, changed.result, { state: 'replayed' }) }
        if (state === 'claimed') running.add(key)
        // An update without a result stores the outcome, so the request is no longer in flight.
        if (changed.result === undefined) running.delete(key)
        return changed
      }),
  }
}
