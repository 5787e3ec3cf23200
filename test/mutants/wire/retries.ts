import { StoreError } from '@storeport/core'
import { answer, header, refusal, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

const idempotencyKey = 'Idempotency-Key'

/** Clicks that are sent again. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'each click counts, however often it is sent',
    caughtBy: 'retries.count-once',
    options: { retries: false },
  },
  {
    defect: 'a repeat is refused',
    caughtBy: 'retries.count-once',
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
  {
    defect: 'repeats are recognised by product alone',
    caughtBy: 'retries.tell-different-calls-apart',
    store: ({ addProduct: add }) => {
      let last = ''
      return {
        addProduct: async (input, context) => (last === (last = input.product_id) ? undefined : add(input, context)),
      }
    },
  },
  {
    defect: 'repeats are remembered whatever came between',
    caughtBy: 'retries.count-again-after-another-change',
    store: ({ addProduct: add }) => {
      const done = new Set<string>()
      return {
        addProduct: async (input, context) =>
          done.size === done.add(JSON.stringify(input)).size ? undefined : add(input, context),
      }
    },
  },
  {
    defect: 'repeats are recognised without the customer',
    caughtBy: 'retries.tell-customers-apart',
    store: ({ addProduct: add }) => {
      let last = ''
      return {
        addProduct: async ({ email, ...rest }, context) =>
          last === (last = JSON.stringify(rest)) ? undefined : add({ email, ...rest }, context),
      }
    },
  },
  {
    defect: '`Idempotency-Key` is ignored',
    caughtBy: 'retries.with-a-key-count-once',
    request: (sent) => withHeader(sent, idempotencyKey),
  },
  {
    defect: 'an `Idempotency-Key` is not compared with the body',
    caughtBy: 'retries.with-a-key-are-of-one-request',
    answer: (answered) => (answered.status === 422 ? answer(200, { success: true }) : answered),
  },
  {
    defect: 'two `Idempotency-Key`s are not distinguished',
    caughtBy: 'retries.with-two-keys-are-two',
    request: (sent) =>
      header(sent, idempotencyKey) === undefined
        ? sent
        : withHeader(sent, idempotencyKey, `one-for-all-${sent.path.length}`),
  },
  {
    defect: 'a refusal uses an `Idempotency-Key` up',
    caughtBy: 'retries.with-a-key-go-on-after-a-refusal',
    request: useKeysUp(),
  },
  {
    defect: 'any `Idempotency-Key` is taken',
    caughtBy: 'retries.refuse-a-bad-key',
    request: (sent) =>
      /^$|[^!-~]|.{256}/.test(header(sent, idempotencyKey) ?? 'none') ? withHeader(sent, idempotencyKey) : sent,
  },
]

/** A server that answers each `Idempotency-Key` once, also after a refusal. */
function useKeysUp(): NonNullable<Mutant['request']> {
  const seen = new Set<string>()
  return (sent) => {
    const key = header(sent, idempotencyKey)
    if (key === undefined) return sent
    if (seen.has(key)) return refusal(409, 'request_in_progress')
    seen.add(key)
    return sent
  }
}
