import { StoreError } from '@storeport/core'
import { setImmediate } from 'node:timers/promises'
import { listMutants } from '../list-mutants.ts'

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
      'two adds at the same time lock the table, and one is an error': (add) => {
        let isLocked = false
        return async (input, context) => {
          if (isLocked) throw new Error('database is locked')
          isLocked = true
          await setImmediate()
          await add(input, context).finally(() => (isLocked = false))
        }
      },
    },
    listProducts: {
      'the ninth request at the same time is refused': (list) => {
        let running = 0
        return async (input, context) => {
          running += 1
          await setImmediate()
          try {
            if (running > 2) throw new StoreError('store_unavailable')
            return await list(input, context)
          } finally {
            running -= 1
          }
        }
      },
    },
  },
  several: {
    'a delay during an add is lost': {
      options: { retries: false },
      store: ({ addProduct, delaySubscription }) => {
        let isAdding = false
        return {
          addProduct: async (input, context) => {
            isAdding = true
            await setImmediate()
            await addProduct(input, context).finally(() => (isAdding = false))
          },
          delaySubscription: async (input, context) => {
            if (!isAdding) await delaySubscription(input, context)
          },
        }
      },
    },
    'an add during a swap is lost': {
      options: { retries: false },
      store: ({ addProduct, swapProduct }) => {
        let isSwapping = false
        return {
          swapProduct: async (input, context) => {
            isSwapping = true
            await setImmediate()
            await swapProduct(input, context).finally(() => (isSwapping = false))
          },
          addProduct: async (input, context) => {
            if (!isSwapping) await addProduct(input, context)
          },
        }
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
  let running = 0
  return async (input, context) => {
    running += 1
    const isAlone = running === 1
    await setImmediate()
    await method(input, context)
      .catch((error: unknown) => {
        if (isAlone) throw error
      })
      .finally(() => (running -= 1))
  }
}
