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
      store: ({ addProduct }) => {
        let waiting = 0
        return {
          addProduct: async (input, context) => {
            if (waiting >= 16) return
            waiting += 1
            await setImmediate()
            waiting -= 1
            await addProduct(input, context)
          },
        }
      },
    },
    'of adds that arrive together only one is kept': {
      options: { retries: false },
      store: ({ addProduct }) => {
        let isBusy = false
        return {
          addProduct: async (input, context) => {
            if (isBusy) return
            isBusy = true
            await setImmediate()
            await addProduct(input, context)
            isBusy = false
          },
        }
      },
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
      store: ({ undoAddProduct }) => {
        let isBusy = false
        return {
          undoAddProduct: async (input, context) => {
            if (isBusy) return
            isBusy = true
            await setImmediate()
            await undoAddProduct(input, context).finally(() => (isBusy = false))
          },
        }
      },
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
      store: ({ swapProduct, addProduct }) => {
        let running = 0
        return {
          swapProduct: async (input, context) => {
            running += 1
            const isSecond = running > 1
            await setImmediate()
            running -= 1
            if (!isSecond) return swapProduct(input, context)
            await addProduct(
              { email: input.email, product_id: input.new_product_id, quantity: 1, one_time: false },
              context,
            )
          },
        }
      },
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
