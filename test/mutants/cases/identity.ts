import { listMutants } from '../list-mutants.ts'
import { header, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

type ChangeRequest = NonNullable<Mutant['request']>

/** Defects in the comparison of requests and of keys. */
export const mutants = listMutants({
  request: {
    '128 characters of a key are stored': changeKey((key) => (key.length > 255 ? key : key.slice(0, 128))),
    'keys are compared without their letter case': changeKey((key) => key.toLowerCase()),
    'the latest ten keys are stored': storeKeys(10),
    'the discount code is not compared': ignoreField('discount_code'),
    'the flag for the next order is not compared': ignoreField('one_time'),
    'requests are compared as text': compareText(),
  },
})

function changeKey(change: (key: string) => string): ChangeRequest {
  return (sent) => {
    const key = header(sent, 'Idempotency-Key')
    return key === undefined ? sent : withHeader(sent, 'Idempotency-Key', change(key))
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

/** Gives each repeated key the value of the first request, so that a difference in the field is not found. */
function ignoreField(field: string): ChangeRequest {
  const first = new Map<string, unknown>()
  return (sent) => {
    const key = header(sent, 'Idempotency-Key')
    const fields = readFields(sent.body)
    if (key === undefined || fields === undefined) return sent
    const id = sent.path + key
    if (!first.has(id)) first.set(id, fields[field])
    return { ...sent, body: JSON.stringify({ ...fields, [field]: first.get(id) }) }
  }
}

/** Simulates a shop that recognizes a repeat only if its body is the same text. */
function compareText(): ChangeRequest {
  const texts = new Map<string, string>()
  return (sent) => {
    const fields = readFields(sent.body)
    if (fields === undefined || header(sent, 'Idempotency-Key') !== undefined) return sent
    const same = JSON.stringify(Object.entries(fields).toSorted())
    const text = texts.get(same)
    texts.set(same, sent.body ?? '')
    const isOther = text !== undefined && text !== sent.body
    return isOther ? withHeader(sent, 'Idempotency-Key', crypto.randomUUID()) : sent
  }
}

function readFields(body: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (body === undefined || !body.startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
