import type { EndpointName } from '@storeport/core'
import {
  answer,
  type Answered,
  fieldsOf,
  gets,
  header,
  isTo,
  posts,
  failure,
  type Sent,
  withHeader,
} from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import type { Mutant } from '../mutant.ts'

const idempotencyKey = 'Idempotency-Key'

/** Endpoints for which a second run has a visible effect. */
const visible = ['addProduct', 'undoAddProduct', 'swapProduct', 'reactivateSubscription', 'sendNow'] as const

const done = answer(200, { success: true })

const ofEachPost = posts.flatMap((name): readonly Mutant[] => {
  const caughtBy = `${name}.runs-once-with-a-key`
  return [
    {
      defect: `${name} does not look at the idempotency key`,
      caughtBy,
      request: (sent) => (isTo(sent, name) ? withHeader(sent, idempotencyKey) : sent),
    },
    {
      defect: `${name} does not compare the body with that of its idempotency key`,
      caughtBy,
      answer: (answered, sent) => (isTo(sent, name) && answered.status === 422 ? done : answered),
    },
    {
      defect: `a refusal of ${name} uses the idempotency key up`,
      caughtBy,
      ...rejectUsedKeys(name),
    },
    {
      defect: `a replay of ${name} is a conflict`,
      caughtBy,
      answer: (answered, sent) =>
        isTo(sent, name) && header(answered, 'Idempotency-Replayed') !== undefined
          ? failure(409, 'request_in_progress')
          : answered,
    },
    {
      defect: `${name} refuses the call that it has just done`,
      caughtBy: `${name}.runs-a-repeat-once`,
      request: refuseRepeats(name),
    },
  ]
})

const unguarded = visible.map((name): Mutant => ({
  defect: `${name} runs each repeat of a click`,
  caughtBy: `${name}.runs-a-repeat-once`,
  options: { retries: { windows: { [name]: 0 } } },
}))

const forgetful = visible.map((name): Mutant => ({
  defect: `of the whole shop the last call alone is remembered, when it is a ${name}`,
  caughtBy: `${name}.runs-a-repeat-once`,
  options: { retries: { windows: { [name]: 0 } } },
  request: rememberLast(name),
}))

const ofEachGet = gets.flatMap((name): readonly Mutant[] => [
  {
    defect: `${name} answers a second call under one idempotency key from memory`,
    caughtBy: `${name}.ignores-an-idempotency-key`,
    answer: answerFromMemory(name),
  },
  {
    defect: `${name} refuses an idempotency key that it does not need`,
    caughtBy: `${name}.ignores-an-idempotency-key`,
    request: (sent) =>
      isTo(sent, name) && header(sent, idempotencyKey)?.includes(' ') === true ? failure(400, 'invalid_request') : sent,
  },
])

/** Defects in repeated clicks for each endpoint. */
export const mutants: readonly Mutant[] = [
  ...ofEachPost,
  ...unguarded,
  ...forgetful,
  ...ofEachGet,
  ...listMutants({
    request: {
      'retries.with-a-key-belong-to-one-customer: an idempotency key counts for each customer on its own': (sent) => {
        const key = header(sent, idempotencyKey)
        const { length } = String(fieldsOf(sent)['email'])
        return key === undefined ? sent : withHeader(sent, idempotencyKey, `${key}-${length}`)
      },
    },
    answer: {
      'getSubscription.reads-again-with-one-key: the subscription is read once for each idempotency key':
        answerFromMemory('getSubscription'),
      'retries.with-a-key-belong-to-one-customer: an idempotency key that another customer used is answered with their success':
        (answered) => (answered.status === 422 ? done : answered),
    },
  }),
]

/** Simulates a server that rejects an idempotency key after an error response. */
function rejectUsedKeys(name: EndpointName): Pick<Mutant, 'request' | 'answer'> {
  const used = new Set<string>()
  return {
    request: (sent) => (isTo(sent, name) && used.has(keyOf(sent)) ? failure(409, 'request_in_progress') : sent),
    answer: (answered, sent) => {
      if (isTo(sent, name) && answered.status >= 400) used.add(keyOf(sent))
      return answered
    },
  }
}

function keyOf(sent: Sent): string {
  return header(sent, idempotencyKey) ?? crypto.randomUUID()
}

/** Simulates a server that rejects an immediate repeat of a request. */
function refuseRepeats(name: EndpointName): NonNullable<Mutant['request']> {
  let last = ''
  return (sent) => {
    if (!isTo(sent, name) || header(sent, idempotencyKey) !== undefined) return sent
    return last === (last = sent.body ?? '') ? failure(409, 'request_in_progress') : sent
  }
}

/** Simulates a server that recognizes only the latest request as a repeat. */
function rememberLast(name: EndpointName): NonNullable<Mutant['request']> {
  let last = ''
  return (sent) => {
    if (sent.method !== 'POST') return sent
    const isRepeat = last === (last = `${sent.path} ${sent.body}`)
    return isRepeat && isTo(sent, name) ? done : sent
  }
}

/** Simulates a server that returns the first response to all later requests with the same idempotency key. */
function answerFromMemory(name: EndpointName): NonNullable<Mutant['answer']> {
  const answers = new Map<string, Answered>()
  return (answered, sent) => {
    const key = header(sent, idempotencyKey)
    if (key === undefined || !isTo(sent, name)) return answered
    const first = answers.get(key) ?? answered
    answers.set(key, first)
    return first
  }
}
