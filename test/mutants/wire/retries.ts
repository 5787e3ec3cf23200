import { StoreError } from '@storeport/core'
import { answer, header, failure, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import type { Mutant } from '../mutant.ts'

const idempotencyKey = 'Idempotency-Key'

export const mutants = listMutants({
  methods: {
    addProduct: {
      'repeats are recognised by product alone': (add) => {
        let last = ''
        return async (input, context) => (last === (last = input.product_id) ? undefined : add(input, context))
      },
      'repeats are remembered whatever came between': (add) => {
        const done = new Set<string>()
        return async (input, context) =>
          done.size === done.add(JSON.stringify(input)).size ? undefined : add(input, context)
      },
      'repeats are recognised without the customer': (add) => {
        let last = ''
        return async ({ email, ...rest }, context) =>
          last === (last = JSON.stringify(rest)) ? undefined : add({ email, ...rest }, context)
      },
    },
  },
  request: {
    '`Idempotency-Key` is ignored': (sent) => withHeader(sent, idempotencyKey),
    'two `Idempotency-Key`s are not distinguished': (sent) =>
      header(sent, idempotencyKey) === undefined
        ? sent
        : withHeader(sent, idempotencyKey, `one-for-all-${sent.path.length}`),
    'a refusal uses an `Idempotency-Key` up': rejectUsedKeys(),
    'any `Idempotency-Key` is taken': (sent) =>
      /^$|[^!-~]|.{256}/.test(header(sent, idempotencyKey) ?? 'none') ? withHeader(sent, idempotencyKey) : sent,
  },
  answer: {
    'an `Idempotency-Key` is not compared with the body': (answered) =>
      answered.status === 422 ? answer(200, { success: true }) : answered,
  },
  options: {
    'each click counts, however often it is sent': { retries: false },
  },
  several: {
    'a repeat is refused': {
      options: { retries: false },
      store: ({ addProduct: add }) => {
        let last = ''
        return {
          addProduct: async (input, context) => {
            const click = JSON.stringify([input.email.toLowerCase(), input.product_id, input.quantity])
            if (click === last) throw new StoreError('request_in_progress')
            await add(input, context)
            last = click
          },
        }
      },
    },
  },
})

/** Simulates a server that accepts each `Idempotency-Key` only once, even after an error. */
function rejectUsedKeys(): NonNullable<Mutant['request']> {
  const seen = new Set<string>()
  return (sent) => {
    const key = header(sent, idempotencyKey)
    if (key === undefined) return sent
    if (seen.has(key)) return failure(409, 'request_in_progress')
    seen.add(key)
    return sent
  }
}
