import type { EndpointName } from '@storeport/core'
import { listMutants } from '../list-mutants.ts'
import {
  type Answered,
  done,
  failure,
  fieldsOf,
  gets,
  header,
  isTo,
  posts,
  type Sent,
  withHeader,
} from '../messages.ts'
import type { Mutant } from '../mutant.ts'

const idempotencyKey = 'Idempotency-Key'

/** Endpoints for which a second run has a visible effect. */
const visible = ['addProduct', 'undoAddProduct', 'swapProduct', 'reactivateSubscription', 'sendNow'] as const

const ofEachPost = posts.flatMap((name) =>
  listMutants({
    request: {
      [`${name} does not look at the idempotency key`]: (sent) =>
        isTo(sent, name) ? withHeader(sent, idempotencyKey) : sent,
      [`${name} refuses the call that it has just done`]: refuseRepeats(name),
    },
    answer: {
      [`a replay of ${name} is a conflict`]: (answered, sent) => {
        const isNamed = isTo(sent, name) && header(sent, idempotencyKey) !== undefined
        return isNamed && header(answered, 'Idempotency-Replayed') !== undefined
          ? failure(409, 'request_in_progress')
          : answered
      },
    },
    several: {
      [`a refusal of ${name} uses the idempotency key up`]: rejectUsedKeys(name),
    },
  }),
)

const ofPostsWithFields = posts
  // The only field of sendNow is the customer, and each customer has other keys.
  .filter((name) => name !== 'sendNow')
  .flatMap((name) =>
    listMutants({
      answer: {
        [`${name} does not compare the body with that of its idempotency key`]: (answered, sent) =>
          isTo(sent, name) && answered.status === 422 ? done : answered,
      },
    }),
  )

const ofVisiblePosts = visible.flatMap((name) =>
  listMutants({
    options: {
      [`${name} runs each repeat of a click`]: { retries: { windows: { [name]: 0 } } },
    },
    several: {
      [`of the whole shop the last call alone is remembered, when it is a ${name}`]: {
        options: { retries: { windows: { [name]: 0 } } },
        request: rememberLast(name),
      },
    },
  }),
)

const ofEachGet = gets.flatMap((name) =>
  listMutants({
    request: {
      [`${name} refuses an idempotency key that it does not need`]: (sent) =>
        isTo(sent, name) && header(sent, idempotencyKey)?.includes(' ') ? failure(400, 'invalid_request') : sent,
    },
    answer: {
      [`${name} answers a second call under one idempotency key from memory`]: answerFromMemory(name),
    },
  }),
)

/** Defects in the handling of repeated clicks. */
export const mutants: readonly Mutant[] = [
  ...ofEachPost,
  ...ofPostsWithFields,
  ...ofVisiblePosts,
  ...ofEachGet,
  ...listMutants({
    request: {
      'an idempotency key that another customer used is refused': answerOtherCustomers(
        failure(422, 'idempotency_key_reused'),
      ),
      'an idempotency key that another customer used is answered with their success': answerOtherCustomers(done),
    },
  }),
]

/** Simulates a server whose idempotency keys belong to all customers. */
function answerOtherCustomers(answered: Answered): NonNullable<Mutant['request']> {
  const owners = new Map<string, unknown>()
  return (sent) => {
    const key = header(sent, idempotencyKey)
    const { email } = fieldsOf(sent)
    if (key === undefined || email === undefined) return sent
    const owner = owners.get(key) ?? email
    owners.set(key, owner)
    return owner === email ? sent : answered
  }
}

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
