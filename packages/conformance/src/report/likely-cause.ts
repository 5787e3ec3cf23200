import { isDate } from '@storeport/core'
import type { CheckFailure } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { PlainRequest } from '../http/plain-http.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { requirementOf } from '../run/topics.ts'
import { type Diagnosis, diagnoseRepeat, is, isRepeatAfterChange, replayed, textOf } from './repeat-cause.ts'
import { causeOfRequest } from './request-cause.ts'

/**
 * Returns the likely cause of a failure. Derives the cause from the response if possible; otherwise, from the
 * requirement.
 *
 * A shop that replays clicks across other changes (RETRY-2) also fails other requirements. `failsRetry2` is whether a
 * check of RETRY-2 failed in the run.
 */
export function diagnose(failure: CheckFailure, failsRetry2 = false): Diagnosis {
  if (failsRetry2 && (failure.requirement === 'RETRY-2' || isRepeatAfterChange(failure))) return replayed
  const found = diagnoseAlone(failure)
  // Another check may have sent the first click, so these requests do not prove a replay.
  const hasClick = failure.calls.some(({ request, status }) => request.method === 'POST' && status === 200)
  const ofRequirement = requirementOf(failure.requirement).risk ?? failure.requirement
  return failsRetry2 && hasClick && [ofRequirement, 'repeats'].includes(found.key)
    ? { ...found, cause: `${found.cause} This can also be a consequence of RETRY-2. Fix RETRY-2 first.` }
    : found
}

function diagnoseAlone(failure: CheckFailure): Diagnosis {
  const { requirement, reply, noAnswer } = failure
  const { cause, risk } = requirementOf(requirement)
  const fromResponse =
    (noAnswer !== undefined ? diagnoseSilence(noAnswer) : undefined) ??
    (reply !== undefined
      ? (diagnoseServer(reply, failure) ?? diagnoseBody(reply, failure) ?? diagnoseChunks(reply))
      : undefined)
  if (fromResponse !== undefined) return fromResponse
  if (failure.cause !== undefined) return is(failure.cause)
  const ofMessage = diagnoseRepeat(failure) ?? diagnoseFraming(failure)
  if (ofMessage !== undefined) return ofMessage
  const isAccepted = reply !== undefined && reply.status !== 401 && reply.status !== 403
  if (requirement === 'AUTH-7' && isAccepted && reply.request.headers.some(isSimilarName))
    return is(
      "The server treats `_` and `-` in header names in the same way, as PHP's `$_SERVER` and WSGI do. Read the raw headers, as `getallheaders()` returns them.",
    )
  if (/^(?:CUSTOMER-3|ODD-1)$/.test(requirement) && reply !== undefined && /\\u0000|%00/.test(textOf(reply)))
    return is("A NUL is removed from the end of the value, as PHP's `trim` does. Remove only white space.")
  const ofValue =
    causeOfRequest(failure) ??
    diagnoseValue(failure) ??
    (reply === undefined ? undefined : diagnoseStatus(reply, failure))
  return ofValue ?? { cause, key: risk ?? requirement }
}

/** Returns whether a header contains the key and has `_` in its name. */
function isSimilarName([name, value]: PlainRequest['headers'][number]): boolean {
  return value === '<key>' && name.includes('_')
}

function diagnoseSilence(noAnswer: string): Diagnosis {
  if (noAnswer.startsWith('within'))
    return is('The server hangs or waits for data that never arrives. Limit the time for a request and for each query.')
  if (noAnswer.startsWith('the response is larger')) return is('The response never ends.')
  return is('The server crashed, or a proxy closed the connection. Check its log.')
}

/**
 * Returns the cause of a response that was not created by the shop's operations, such as an error page of the server.
 */
function diagnoseServer({ status, text }: Reply, { expected }: CheckFailure): Diagnosis | undefined {
  if (status === 429) {
    return expected.includes('401')
      ? is('The shop applies its rate limit to requests with an invalid key. These requests must always return 401.')
      : is("The shop's rate limit was reached. Raise the limit for this run.")
  }
  if (status >= 300 && status < 400)
    return is('A server in front of the API redirects the request. Serve this path without a redirect.')
  const php = /(?:Fatal error|Parse error|Warning|Notice|Deprecated)(?:<\/b>)?: /.exec(text)
  if (php !== null) return is('PHP wrote an error message to the response. Set `display_errors=0` and check the log.')
  if (/^\s*</.test(text))
    return is(`The framework or a proxy returned an HTML page with status ${status}. Return JSON instead.`)
  if (status === 501) return is('The server does not support the method or a header of the request.')
  if (status >= 500) return is('The server threw an exception. Check its log.', `500 ${text.slice(0, 80)}`)
  if (/^[^{]+\{/.test(text))
    return is('The response contains other output before the JSON. Remove debug output and warnings from the response.')
  return undefined
}

/** Returns the cause of a body that lacks `success`, `data` or `error`. */
function diagnoseBody({ json, status }: Reply, { expected, requirement }: CheckFailure): Diagnosis | undefined {
  // The HTTP parser creates this response, not the shop.
  if (requirement === 'HTTP-1') return undefined
  if (
    !expected.startsWith('`{"success": false') &&
    !/^(?:a JSON object|`success: true`|an object `data`)/.test(expected)
  )
    return undefined
  if (!isObject(json))
    return is('The body is not a JSON object. Send an object with `success`, and with `data` or `error`.')
  const names = Object.keys(json).join(', ')
  if (expected === 'an object `data`')
    return is(`The body has no \`data\` object. Its fields: ${names}. Move the result into \`data\`.`)
  if (json['success'] === undefined)
    return is('The body has no `success` field. Add `true` to a result and `false` to an error.')
  if (typeof json['success'] !== 'boolean')
    return is('`success` is not a boolean. Send `true` or `false` without quotes.')
  if (status >= 400 && typeof json['error'] === 'string')
    return is('`error` is a string. It must be an object with `code` and `message`.')
  return isObject(json['error']) ? is('`error` must have a non-empty `code` and `message`.') : undefined
}

function diagnoseChunks({ status, request }: Reply): Diagnosis | undefined {
  const isChunked = request.body !== undefined && !(request.body instanceof Uint8Array)
  return isChunked && status >= 400
    ? is('The server does not read a body with `Transfer-Encoding: chunked`.')
    : undefined
}

const numbersAsStrings = is(
  'Numbers are sent as strings. Many database drivers return decimals as strings. Convert them to numbers.',
)

/** Returns the cause of a body that the shop accepts although its length or its chunks are malformed. */
function diagnoseFraming({ requirement, reply }: CheckFailure): Diagnosis | undefined {
  if (reply === undefined || reply.status >= 300 || !(reply.request.body instanceof Uint8Array)) return undefined
  const lenient = (what: string, value: string | undefined) =>
    is(
      `The ${what} \`${value}\` is parsed leniently, as \`int\`, \`hexdec\` or \`parseInt\` do. Accept only digits, and return 400 for anything else.`,
    )
  if (requirement === 'HTTP-2') {
    const lengths = reply.request.headers.filter(([name]) => name.toLowerCase() === 'content-length')
    const invalid = lengths.find(([, value]) => !/^\d+$/.test(value))
    return invalid && lenient('length', invalid[1])
  }
  if (requirement !== 'HTTP-3') return undefined
  const [, size = '', rest = ''] = /^(.*?)\r\n(.*)$/s.exec(Buffer.from(reply.request.body).toString('latin1')) ?? []
  if (!/^[\da-f]+(?:;|$)/i.test(size)) return lenient('chunk size', size)
  if (!rest.startsWith('\r\n', Number.parseInt(size, 16)))
    return is('The line end after a chunk is not checked. Return 400 unless `\\r\\n` follows the data of the chunk.')
  return is('A body without the last chunk is used when the connection ends. Discard the request.')
}

/** Returns the cause of a value with the wrong type, or of a shifted date. */
function diagnoseValue({ expected, received, reply }: CheckFailure): Diagnosis | undefined {
  if (/^\w+: must be a number$/.test(expected)) return numbersAsStrings
  const [, path, wanted] = /^(data\.\S+): (must be .+)$/.exec(expected) ?? []
  if (path !== undefined && wanted !== undefined) {
    if (received === 'nothing') return diagnoseMissing(path, reply)
    if (received === 'null') return is(`A field is \`null\`. Omit optional fields that have no value.`)
    if (wanted === 'must be an array' && /^\{"\d+":/.test(received))
      return is('A list is sent as an object with numbers as names. In PHP, call `array_values` after a filter.')
    const isText = received.startsWith('"')
    if (isText && wanted === 'must be a number') return numbersAsStrings
    if (isText && /^"\d{4}-\d\d-\d\d[T ]/.test(received)) return is('A date includes a time. Send only `YYYY-MM-DD`.')
    if (/^-?\d/.test(received) && wanted === 'must be a string')
      return is('Ids are sent as numbers. Convert them to strings.')
    return is(`\`${path.replaceAll(/\.\d+/g, '[]')}\` ${wanted}.`)
  }
  const dates = [/"(\d{4}-\d\d-\d\d)"$/.exec(expected)?.[1], received.slice(1, -1)]
  if (!dates.every((date) => date !== undefined && isDate(date))) return undefined
  const [one = 0, other = 0] = dates.map((date) => Date.parse(date ?? '') / 86_400_000)
  return Math.abs(one - other) === 1
    ? is(
        "The date is off by one day. Either it is converted between time zones, or --time-zone is not the shop's time zone.",
      )
    : undefined
}

/** Returns the cause of a missing field. The cause mentions a field with a similar name in the same object. */
function diagnoseMissing(path: string, reply: Reply | undefined): Diagnosis {
  const names = path.split('.')
  const field = names.at(-1) ?? path
  let holder = reply?.json
  for (const name of names.slice(0, -1))
    holder = Array.isArray(holder) ? holder[Number(name)] : isObject(holder) ? holder[name] : {}
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
  const similar = isObject(holder)
    ? Object.keys(holder).find((name) => plain(name).includes(plain(field)) || plain(field).includes(plain(name)))
    : undefined
  const sent = similar === undefined ? '' : ` The response has \`${similar}\`.`
  return is(`The field \`${field}\` is missing.${sent}`, `missing ${field}`)
}

/** Returns the cause of an unexpected status. */
function diagnoseStatus(reply: Reply, { requirement, expected }: CheckFailure): Diagnosis | undefined {
  const { status } = reply
  const code = errorCodeOf(reply)
  if (requirement === 'RETRY-8' && (status === 400 || status === 404))
    return is(
      status === 400
        ? 'A valid `Idempotency-Key` is rejected. Accept 1–255 visible ASCII characters, with and without quotes.'
        : 'The request runs before its `Idempotency-Key` is validated, so the shop searches for the customer.',
    )
  const wanted = Number(/(?:^|status |with )([1-5]\d\d)\b/.exec(expected)?.[1])
  if (expected.startsWith('422 '))
    return is('The `Idempotency-Key` is ignored, so another request with this key runs.', 'repeats')
  if (!(wanted > 0) || wanted === status) return undefined
  const key = `status ${wanted}, not ${status}`
  if (wanted === 401) {
    if (status < 300 || (requirement === 'AUTH-7' && status !== 403)) return undefined
    return status === 403
      ? is('The key check returns 403. It must return 401.', key)
      : is(
          'The request is validated before the key is checked. Check the key before the path, the method and the body.',
        )
  }
  if (wanted >= 400) {
    if (status < 400) return undefined
    if (status === 422) return is("The framework's validation returns 422. It must return 400.", key)
    if (status === 400 && (wanted === 413 || wanted === 415)) {
      const part = wanted === 415 ? 'the content type' : 'its size'
      return is(`The body is parsed before ${part} is checked. Check ${part.replace('its', 'the')} first.`)
    }
    return requirement === 'ERROR-2'
      ? is(
          `The shop uses its own statuses, such as ${status} instead of ${expected}. Use the statuses of the API.`,
          requirement,
        )
      : is(`The request is rejected with ${status} instead of ${wanted}.`, `${requirement} ${key}`)
  }
  if (code === 'customer_not_found')
    return reply.endpoint === 'listProducts'
      ? is('listProducts rejects an unknown customer. It must return the general list (PRODUCTS-8).')
      : is('The shop did not find this customer. Check the email address in the profile.')
  if (status === 401 || status === 403)
    return is('The valid key is rejected for this request. Check only its header, before the rest of the request.')
  if (status === 405) return is('The path exists, but it is registered with another method.')
  const hasQuantity = reply.endpoint === 'addProduct' || reply.endpoint === 'swapProduct'
  return code === 'invalid_request' && hasQuantity
    ? is('The shop rejects a valid field, or the line has the maximum quantity. The error message names the field.')
    : undefined
}
