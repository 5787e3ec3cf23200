import { isDate, isErrorCode } from '@storeport/core'
import type { CheckFailure } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { requirementOf } from '../run/topics.ts'
import { isRejectedRepeat, isRepeatAfterChange, replayKey, repeats, textOf } from './repeats.ts'

/** The likely cause of a failure. Failures with the same key have the same cause. */
export interface Diagnosis {
  readonly cause: string
  readonly key: string
}

/** Creates a diagnosis. By default, each cause has its own key. */
function is(cause: string, key = cause): Diagnosis {
  return { cause, key }
}

/**
 * Returns the likely cause of a failure: what the response shows, the cause that the check names, what the response shows
 * together with the expectation, or the cause of the requirement.
 *
 * A shop that replays clicks across other changes (RETRY-2) also fails other requirements. `failsRetry2` is whether a
 * check of RETRY-2 failed in the run.
 */
export function diagnose(failure: CheckFailure, failsRetry2 = false): Diagnosis {
  const { requirement, reply, calls, noAnswer } = failure
  const ofResponse = noAnswer === undefined ? reply && ofServer(reply, failure) : ofSilence(noAnswer)
  if (ofResponse === undefined && failsRetry2 && (requirement === replayKey || isRepeatAfterChange(failure)))
    return is(
      'A request is treated as a repeat after another change of the customer (RETRY-2). Any successful change of the customer must end the retry window of its earlier requests.',
      replayKey,
    )
  const { cause, risk } = requirementOf(requirement)
  const ofRequirement = risk ?? requirement
  const found =
    ofResponse ??
    (failure.cause === undefined ? undefined : is(failure.cause)) ??
    ofRepeat(failure) ??
    (reply && (ofRequest(reply, failure) ?? ofCode(reply, failure))) ??
    ofValue(failure) ??
    (reply && ofStatus(reply, failure)) ??
    is(cause, ofRequirement)
  // Another check may have sent the first click, so these requests do not prove a replay.
  const hasClick = calls.some(({ request, status }) => request.method === 'POST' && status === 200)
  return failsRetry2 && hasClick && [ofRequirement, 'repeats'].includes(found.key)
    ? is(`${found.cause} This can also be a consequence of RETRY-2. Fix RETRY-2 first.`, found.key)
    : found
}

function ofSilence(noAnswer: string): Diagnosis {
  if (noAnswer.startsWith('within'))
    return is('The server hangs or waits for data that never arrives. Limit the time for a request and for each query.')
  if (noAnswer.startsWith('the response is larger')) return is('The response never ends.')
  return is('The server crashed, or a proxy closed the connection. Check its log.')
}

/** Returns the cause of a response of a server, a proxy or a framework, or of a body with another format. */
function ofServer({ status, text, json, request }: Reply, { requirement, wanted }: CheckFailure) {
  if (status === 429)
    return wanted.status === 401
      ? is('The shop applies its rate limit to requests with an invalid key. These requests must always return 401.')
      : is("The shop's rate limit was reached. Raise the limit for this run.")
  if (status >= 300 && status < 400)
    return is('A server in front of the API redirects the request. Serve this path without a redirect.')
  if (/(?:Fatal error|Parse error|Warning|Notice|Deprecated)(?:<\/b>)?: /.test(text))
    return is('PHP wrote an error message to the response. Set `display_errors=0` and check the log.')
  if (/^\s*</.test(text))
    return is(`The framework or a proxy returned an HTML page with status ${status}. Return JSON instead.`)
  if (status === 501) return is('The server does not support the method or a header of the request.')
  if (status >= 500) return is('The server threw an exception. Check its log.', `500 ${text.slice(0, 80)}`)
  if (/^[^{]+\{/.test(text))
    return is('The response contains other output before the JSON. Remove debug output and warnings from the response.')
  // The HTTP parser creates the response of HTTP-1, not the shop.
  const ofFormat = wanted.body !== undefined && requirement !== 'HTTP-1' ? ofBody(json, status, wanted.body) : undefined
  const isChunked = request.body !== undefined && !(request.body instanceof Uint8Array)
  if (ofFormat !== undefined || !isChunked || status < 400) return ofFormat
  return is('The server does not read a body with `Transfer-Encoding: chunked`.')
}

/** Returns the cause of a body that lacks `success`, `data` or `error`. */
function ofBody(json: unknown, status: number, part: string): Diagnosis | undefined {
  if (!isObject(json))
    return is('The body is not a JSON object. Send an object with `success`, and with `data` or `error`.')
  if (part === 'data')
    return is(
      `The body has no \`data\` object. Its fields: ${Object.keys(json).join(', ')}. Move the result into \`data\`.`,
    )
  if (json['success'] === undefined)
    return is('The body has no `success` field. Add `true` to a result and `false` to an error.')
  if (status >= 400 && typeof json['error'] === 'string')
    return is('`error` is a string. It must be an object with `code` and `message`.')
  return undefined
}

/** Returns the cause of a repeat that fails or takes effect. */
function ofRepeat(failure: CheckFailure): Diagnosis | undefined {
  const { requirement, reply, calls } = failure
  if (isRejectedRepeat(failure))
    return is(
      'The repeat runs again and does not find what the first request used up. Store each successful response, and return it for each repeat.',
      'repeats',
    )
  if (!repeats.test(requirement)) return undefined
  const clicks = calls.filter(({ request, status }) => request.method === 'POST' && status === 200)
  const texts = clicks.filter(({ request }) => request.target === clicks.at(-1)?.request.target).map(textOf)
  const text = texts.pop() ?? ''
  // Without two equal earlier requests, the shop may have no protection at all.
  if (requirement === 'RETRY-1' && new Set(texts).size < texts.length && !texts.includes(text))
    return is(
      'A repeat in another notation runs again. Compare the validated fields with their defaults and the email in lower case, not the text of the body.',
    )
  return is(
    reply !== undefined && reply.status >= 400
      ? 'A repeat of a successful request is rejected. Store each successful response, and return it for each repeat.'
      : 'Each repeat of a request runs again. Store each successful response with its request or key, in the same transaction as the change.',
    'repeats',
  )
}

/** Returns the cause of a request that the shop accepts, as some languages and frameworks do. */
function ofRequest(reply: Reply, { requirement }: CheckFailure): Diagnosis | undefined {
  const { status, request } = reply
  if (/^HTTP-[23]$/.test(requirement) && status > 0 && status < 300 && /[^\d]/.test(sizeOf(request)))
    return is(
      `The length or chunk size \`${sizeOf(request)}\` is parsed leniently, as \`int\`, \`hexdec\` or \`parseInt\` do. Accept only digits, and return 400 for anything else.`,
    )
  if (
    requirement === 'AUTH-7' &&
    ![401, 403].includes(status) &&
    request.headers.some(([name, value]) => value === '<key>' && name.includes('_'))
  )
    return is(
      "The server treats `_` and `-` in header names in the same way, as PHP's `$_SERVER` and WSGI do. Read the raw headers, as `getallheaders()` returns them.",
    )
  if (/^(?:CUSTOMER-3|ODD-1)$/.test(requirement) && /\\u0000|%00/.test(textOf(reply)))
    return is("A NUL is removed from the end of the value, as PHP's `trim` does. Remove only white space.")
  const hasWideSpace = request.headers.some(([, value]) => /^<key>[^ -~]+$/.test(value))
  return requirement === 'AUTH-3' && status < 400 && hasWideSpace
    ? is('The server trims Unicode white space from the key. Compare all bytes of the key.')
    : undefined
}

/** Returns the malformed length or chunk size of a raw request; an empty string if it has none. */
function sizeOf({ headers, body }: Reply['request']): string {
  const lengths = headers.filter(([name]) => name.toLowerCase() === 'content-length').map(([, value]) => value)
  const [chunk = ''] = Buffer.from(body instanceof Uint8Array ? body : [])
    .toString('latin1')
    .split('\r\n')
  return lengths.length === 0 ? chunk : (lengths.find((value) => /[^\d]/.test(value)) ?? '')
}

/** Returns the cause of an error response with an unexpected status or code. */
function ofCode(reply: Reply, { requirement, wanted }: CheckFailure): Diagnosis | undefined {
  const code = errorCodeOf(reply)
  if (wanted.code === undefined || code === undefined || requirement === 'RETRY-8') return undefined
  if (wanted.status === 400 && reply.status === 404)
    return is(
      `The request is rejected with 404 \`${code}\`, because it is not validated, or only after the search for the data. It must return 400 \`${wanted.code}\`.`,
      `${requirement} 404`,
    )
  if (wanted.status !== reply.status || (isErrorCode(code) && requirement !== 'ERROR-2')) return undefined
  return is(
    `The shop uses its own error codes, such as \`${code}\` instead of \`${wanted.code}\`. Use the codes of the API.`,
    isErrorCode(code) ? requirement : 'own codes',
  )
}

/** Returns the cause of a field with the wrong type, or of a shifted date. */
function ofValue({ wanted: { field, rule, equal = ['', ''] }, received, reply }: CheckFailure): Diagnosis | undefined {
  const days = equal.map((value) => (typeof value === 'string' && isDate(value) ? Date.parse(value) / 86_400_000 : NaN))
  if (Math.abs((days[0] ?? NaN) - (days[1] ?? NaN)) === 1)
    return is(
      "The date is off by one day. Either it is converted between time zones, or --time-zone is not the shop's time zone.",
    )
  const isNumberAsString = rule === 'must be a number' ? received.startsWith('"') : equal.join() === 'number,string'
  if (isNumberAsString)
    return is('Numbers are sent as strings. Many database drivers return decimals as strings. Convert them to numbers.')
  if (field === undefined) return undefined
  if (received === 'nothing') return ofMissing(field, reply)
  if (received === 'null') return is(`A field is \`null\`. Omit optional fields that have no value.`)
  if (rule === 'must be an array' && /^\{"\d+":/.test(received))
    return is('A list is sent as an object with numbers as names. In PHP, call `array_values` after a filter.')
  if (/^"\d{4}-\d\d-\d\d[T ]/.test(received)) return is('A date includes a time. Send only `YYYY-MM-DD`.')
  if (rule === 'must be a string' && /^-?\d/.test(received))
    return is('Ids are sent as numbers. Convert them to strings.')
  return is(`\`${field.replaceAll(/\.\d+/g, '[]')}\` ${rule}.`)
}

/** Returns the cause of a missing field. The cause mentions a field with a similar name in the same object. */
function ofMissing(path: string, reply: Reply | undefined): Diagnosis {
  const names = path.split('.')
  const field = names.at(-1) ?? path
  let holder = reply?.json
  for (const name of names.slice(0, -1))
    holder = Array.isArray(holder) ? holder[Number(name)] : isObject(holder) ? holder[name] : {}
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
  const isSimilar = (name: string) => plain(name).includes(plain(field)) || plain(field).includes(plain(name))
  const similar = isObject(holder) ? Object.keys(holder).find(isSimilar) : undefined
  const sent = similar === undefined ? '' : ` The response has \`${similar}\`.`
  return is(`The field \`${field}\` is missing.${sent}`, `missing ${field}`)
}

/** Returns the cause of an unexpected status. */
function ofStatus(reply: Reply, { requirement, wanted: { status: wanted = 0 } }: CheckFailure): Diagnosis | undefined {
  const { status } = reply
  if (wanted === 422) return is('The `Idempotency-Key` is ignored, so another request with this key runs.', 'repeats')
  if (wanted === 0 || wanted === status || (wanted >= 400 && status < 300)) return undefined
  if (wanted === 401) {
    if (status === 403) return is('The key check returns 403. It must return 401.')
    return requirement === 'AUTH-7'
      ? undefined
      : is(
          'The request is validated before the key is checked. Check the key before the path, the method and the body.',
        )
  }
  if (wanted >= 400 && status === 422) return is("The framework's validation returns 422. It must return 400.")
  if (status === 400 && (wanted === 413 || wanted === 415)) {
    const part = wanted === 415 ? 'content type' : 'size'
    return is(`The body is parsed before its ${part} is checked. Check the ${part} first.`)
  }
  if (wanted >= 400)
    return is(
      requirement === 'ERROR-2'
        ? `The shop uses its own statuses, such as ${status} instead of ${wanted}. Use the statuses of the API.`
        : `The request is rejected with ${status} instead of ${wanted}.`,
      requirement === 'ERROR-2' ? requirement : `${requirement} status ${wanted}, not ${status}`,
    )
  if (errorCodeOf(reply) === 'customer_not_found')
    return is('The shop did not find this customer. Check the email address in the profile.')
  if (status === 401 || status === 403)
    return is('The valid key is rejected for this request. Check only its header, before the rest of the request.')
  return status === 405 ? is('The path exists, but it is registered with another method.') : undefined
}
