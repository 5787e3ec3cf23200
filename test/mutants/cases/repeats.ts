import { type EndpointName, StoreError } from '@storeport/core'
import { listMutants } from '../list-mutants.ts'
import { failure, fieldsOf, header, isTo, withFields, withHeader } from '../messages.ts'
import { clock, type Mutant } from '../mutant.ts'

type ChangeRequest = NonNullable<Mutant['request']>

const idempotencyKey = 'Idempotency-Key'

/** Defects in the comparison of requests and keys, and in the time for which a shop stores them. */
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
    },
  },
  request: {
    'two `Idempotency-Key`s are not distinguished': (sent) => changeKey(() => `one-for-all-${sent.path.length}`)(sent),
    'any `Idempotency-Key` is taken': changeKey((key) => (/^$|[^!-~]|.{256}/.test(key) ? undefined : key)),
    '128 characters of a key are stored': changeKey((key) => (key.length > 255 ? key : key.slice(0, 128))),
    'keys are compared without their letter case': changeKey((key) => key.toLowerCase()),
    'the latest ten keys are stored': storeKeys(10),
    'a click with a key is forgotten after 10 s': forgetKeysAfter(10_000),
    'the discount code is not compared': ignoreField('discount_code'),
    'the flag for the next order is not compared': ignoreField('one_time'),
    'requests are compared as text': compareText(),
    'one of ten repeated adds counts twice, and nothing shows the subscription': countSomeTwice('addProduct'),
    'one of ten repeated undos counts twice, and nothing shows the subscription': countSomeTwice('undoAddProduct'),
  },
  options: {
    'each click counts, however often it is sent': { retries: false },
    'the window of addProduct is 5 s': { retries: { windows: { addProduct: 5_000 } } },
  },
  store: {
    'an addition can be undone for 3 s': ({ addProduct, undoAddProduct }) => {
      const added = new Map<string, number>()
      return {
        addProduct: async (input, context) => {
          await addProduct(input, context)
          added.set(input.product_id, clock.now())
        },
        undoAddProduct: async (input, context) => {
          const ageMs = clock.now() - (added.get(input.product_id) ?? Infinity)
          if (ageMs > 3_000) throw new StoreError('product_not_in_order')
          await undoAddProduct(input, context)
        },
      }
    },
  },
  unguarded: {
    'a repeat is refused': ({ addProduct: add }) => {
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
})

/** Changes the key of a request, or removes the key. */
function changeKey(change: (key: string) => string | undefined): ChangeRequest {
  return (sent) => {
    const key = header(sent, idempotencyKey)
    return key === undefined ? sent : withHeader(sent, idempotencyKey, change(key))
  }
}

/** Simulates a shop that stores a number of keys. A request with an older key runs again. */
function storeKeys(maximum: number): ChangeRequest {
  const keys: string[] = []
  return changeKey((key) => {
    const place = keys.indexOf(key)
    if (place === -1) keys.push(key)
    return place !== -1 && keys.length - place > maximum ? crypto.randomUUID() : key
  })
}

/** Simulates a shop that stores a key for some time. */
function forgetKeysAfter(ms: number): ChangeRequest {
  const first = new Map<string, number>()
  return changeKey((key) => {
    const since = first.get(key) ?? clock.now()
    first.set(key, since)
    return clock.now() - since > ms ? `${key}-again` : key
  })
}

/** Gives each repeated key the value of the first request, so that a difference in the field is not found. */
function ignoreField(field: string): ChangeRequest {
  const first = new Map<string, unknown>()
  return (sent) => {
    const key = header(sent, idempotencyKey)
    if (key === undefined) return sent
    return withFields(sent, (fields) => {
      const id = sent.path + key
      if (!first.has(id)) first.set(id, fields[field])
      return { ...fields, [field]: first.get(id) }
    })
  }
}

/** Simulates a shop that recognizes a repeat only if its body is the same text. */
function compareText(): ChangeRequest {
  const texts = new Map<string, string>()
  return (sent) => {
    if (sent.body === undefined || header(sent, idempotencyKey) !== undefined) return sent
    const same = JSON.stringify(Object.entries(fieldsOf(sent)).toSorted())
    const text = texts.get(same) ?? sent.body
    texts.set(same, sent.body)
    return text === sent.body ? sent : withHeader(sent, idempotencyKey, crypto.randomUUID())
  }
}

/** Simulates a shop without getSubscription in which every tenth repeat is a new click. */
function countSomeTwice(name: EndpointName): ChangeRequest {
  let [last, repeats] = ['', 0]
  return (sent) => {
    if (isTo(sent, 'getSubscription')) return failure(404, 'endpoint_not_found')
    if (sent.method !== 'POST') return sent
    const isRepeat = last === (last = `${sent.path} ${sent.body} ${header(sent, idempotencyKey)}`)
    if (!isRepeat || !isTo(sent, name)) return sent
    repeats += 1
    return repeats % 10 === 0 ? withHeader(sent, idempotencyKey, crypto.randomUUID()) : sent
  }
}
