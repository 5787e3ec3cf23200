import { StoreError } from '@storeport/core'
import { setImmediate } from 'node:timers/promises'
import { listMutants } from '../list-mutants.ts'
import { counted } from './overlap.ts'

/** Defects that only different requests at the same time show. */
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
    },
    listCancelledSubscriptions: {
      'two lists that overlap share one response': (list) => {
        let pending: ReturnType<typeof list> | undefined
        return (input, context) =>
          (pending ??= setImmediate()
            .then(() => list(input, context))
            .finally(() => (pending = undefined)))
      },
    },
    addProduct: {
      'an add is made for the customer of the read that came last': (add) => {
        let last = ''
        return async (input, context) => {
          last = input.email
          await setImmediate()
          await add({ ...input, email: last }, context)
        }
      },
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
  several: {
    'a delay during an add is lost': {
      options: { retries: false },
      store: ({ addProduct, delaySubscription }) => {
        const [add, delay] = dropDuring(addProduct, delaySubscription)
        return { addProduct: add, delaySubscription: delay }
      },
    },
    'an add during a swap is lost': {
      options: { retries: false },
      store: ({ addProduct, swapProduct }) => {
        const [swap, add] = dropDuring(swapProduct, addProduct)
        return { swapProduct: swap, addProduct: add }
      },
    },
    'an undo that overlaps another one is a success too': {
      options: { retries: false },
      store: ({ undoAddProduct }) => ({ undoAddProduct: acceptOverlap(undoAddProduct) }),
    },
    'two keys at the same time are two boxes': {
      store: ({ sendNow }) => ({ sendNow: acceptOverlap(sendNow) }),
      options: { retries: false },
    },
  },
})

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
