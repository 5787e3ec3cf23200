import { type ClickDocument, type Ledger, memoryLedger, StoreError } from '@storeport/core'
import { reactivateSubscription } from '@storeport/rules'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { withSubscriptions } from '../accounts.ts'
import { listMutants } from '../list-mutants.ts'

/** Defects in handling overlapping requests. */
export const mutants = listMutants({
  methods: {
    getSubscription: {
      'reads that overlap share one response, also of different customers': (read) => {
        let pending: ReturnType<typeof read> | undefined
        return (input, context) =>
          (pending ??= setImmediate()
            .then(() => read(input, context))
            .finally(() => (pending = undefined)))
      },
      'the customer of a call is kept in a variable that all calls share': shareCustomer,
    },
    addProduct: {
      'whose add it is, is kept in a variable that all adds share': shareCustomer,
      'two adds at the same time lock the table, and one is an error': (add) =>
        counted(async (running, input, context) => {
          if (running > 1) throw new Error('database is locked')
          await add(input, context)
        }),
    },
    listProducts: {
      'the ninth request at the same time is refused': (list) =>
        counted(async (running, input, context) => {
          if (running > 2) throw new StoreError('store_unavailable')
          return list(input, context)
        }),
    },
  },
  options: {
    'whether a key was used is read first and written later': { retries: { ledger: createNonAtomicLedger() } },
  },
  store: {
    'of delays that no read comes between only the first counts': ({
      getSubscription: read,
      delaySubscription: delay,
    }) => {
      // Applies only the first delay after each read, because the number of overlapping delays varies.
      let isDelayed = false
      return {
        getSubscription: (input, context) => {
          isDelayed = false
          return read(input, context)
        },
        delaySubscription: async (input, context) => {
          if (isDelayed) return
          isDelayed = true
          await delay(input, context)
        },
      }
    },
  },
  unguarded: {
    'of more than sixteen adds that wait the others are dropped': ({ addProduct: add }) => ({
      addProduct: counted(async (running, input, context) => (running <= 16 ? add(input, context) : undefined)),
    }),
    'of adds that arrive together only one is kept': ({ addProduct }) => ({ addProduct: firstOnly(addProduct) }),
    'of undos that overlap one is stored': ({ undoAddProduct }) => ({ undoAddProduct: firstOnly(undoAddProduct) }),
    'one of two concurrent additions of one-time lines is lost': ({ addProduct: add }) => ({
      addProduct: counted(async (running, input, context) =>
        running === 1 || !input.one_time ? add(input, context) : undefined,
      ),
    }),
    'of equal adds that overlap one is stored, whatever keys they have': ({ addProduct: add }) => {
      const running = new Set<string>()
      return {
        addProduct: async (input, context) => {
          const click = JSON.stringify(input)
          if (running.has(click)) return
          running.add(click)
          await setImmediate()
          await add(input, context).finally(() => running.delete(click))
        },
      }
    },
    'a swap that overlaps another adds the new product once more': ({ swapProduct, addProduct }) => ({
      swapProduct: counted(async (running, input, context) => {
        const { email, new_product_id: product_id } = input
        if (running === 1) await swapProduct(input, context)
        else await addProduct({ email, product_id, quantity: 1, one_time: false }, context)
      }),
    }),
    'a delay during an add is lost': ({ addProduct, delaySubscription }) => {
      const [add, delay] = dropDuring(addProduct, delaySubscription)
      return { addProduct: add, delaySubscription: delay }
    },
    'an add during a swap is lost': ({ addProduct, swapProduct }) => {
      const [swap, add] = dropDuring(swapProduct, addProduct)
      return { swapProduct: swap, addProduct: add }
    },
    'an undo that overlaps another one is a success too': ({ undoAddProduct }) => ({
      undoAddProduct: acceptOverlap(undoAddProduct),
    }),
    'two keys at the same time are two boxes': ({ sendNow }) => ({ sendNow: acceptOverlap(sendNow) }),
  },
  several: {
    'a call that is running counts as done for every other call under its key': {
      options: { retries: { ledger: createReplayingLedger() } },
      // Delays the method so that requests overlap.
      store: ({ addProduct }) => ({
        addProduct: async (input, context) => (await setImmediate(), addProduct(input, context)),
      }),
    },
    'reactivations at the same time each bring the items': {
      options: { retries: false },
      rules: {
        reactivateSubscription: (account, input, shop) => {
          const isIt = ({ id, status }: (typeof account.subscriptions)[number]) =>
            id === input.subscription_id && status === 'active'
          if (!account.subscriptions.some(isIt)) return reactivateSubscription(account, input, shop)
          return withSubscriptions(account, (one) =>
            isIt(one) ? { ...one, items: one.items.map((item) => ({ ...item, quantity: 2 * item.quantity })) } : one,
          )
        },
      },
    },
    'a burst of calls is answered with 503': {
      options: { maxConcurrent: 20 },
      store: ({ listProducts }) => ({
        listProducts: async (input, context) => (await setImmediate(), listProducts(input, context)),
      }),
    },
  },
})

/** Counts the requests that run at the same time. `run` receives their number after a pause. */
function counted<Input, Context, Result>(
  run: (running: number, input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  let running = 0
  return async (input, context) => {
    const count = ++running
    await setImmediate()
    return run(count, input, context).finally(() => (running -= 1))
  }
}

/** Keeps the customer of a request in a variable that all requests share. */
function shareCustomer<Input extends { readonly email: string }, Context, Result>(
  method: (input: Input, context: Context) => Promise<Result>,
): typeof method {
  let email = ''
  return async (input, context) => {
    email = input.email
    await setTimeout(5)
    return method({ ...input, email }, context)
  }
}

/** Ignores a request while another request is running. */
function firstOnly<Input, Context>(method: (input: Input, context: Context) => Promise<void>) {
  return counted<Input, Context, void>(async (running, input, context) => {
    if (running === 1) await method(input, context)
  })
}

/** Reports success for a request that fails while another request is running. */
function acceptOverlap<Input, Context>(method: (input: Input, context: Context) => Promise<void>): typeof method {
  return counted((running, input, context) =>
    method(input, context).catch((error: unknown) => {
      if (running === 1) throw error
    }),
  )
}

/** Ignores a request to the second method while a request to the first method is running. */
function dropDuring<First, Second, Context>(
  first: (input: First, context: Context) => Promise<void>,
  second: (input: Second, context: Context) => Promise<void>,
): [typeof first, typeof second] {
  let isRunning = false
  return [
    async (input, context) => {
      isRunning = true
      await setImmediate()
      await first(input, context).finally(() => (isRunning = false))
    },
    async (input, context) => {
      if (!isRunning) await second(input, context)
    },
  ]
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
