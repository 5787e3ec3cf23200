import { isErrorCode } from '@storeport/core'
import type { CheckFailure } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { type Diagnosis, is } from './repeat-cause.ts'

/** Returns the cause that the request and its response show together; `undefined` if they show none. */
export function causeOfRequest(failure: CheckFailure): Diagnosis | undefined {
  const { reply } = failure
  if (reply === undefined) return undefined
  return causeOfKey(failure, reply) ?? causeOfConnection(failure, reply) ?? causeOfRejection(failure, reply)
}

/** White space outside ASCII that some languages remove from the ends of a string. */
const wideSpace = /[\s\u0085]/

/** Returns the cause of a key that is accepted with further characters. */
function causeOfKey({ requirement }: CheckFailure, { request, status }: Reply): Diagnosis | undefined {
  const value = request.headers.map(([, text]) => text).find((text) => text.includes('<key>'))
  const [more] = value?.split('<key>').filter((text) => text !== '') ?? []
  if (requirement !== 'AUTH-3' || status >= 400 || more === undefined || /^[ -~]*$/.test(more)) return undefined
  const [letter = ''] = [more, Buffer.from(more, 'latin1').toString('utf8')].filter((text) => wideSpace.test(text))
  if (letter === '') return undefined
  const point = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return is(`The server trims Unicode white space, such as U+${point}, from the key. Compare all bytes of the key.`)
}

function causeOfConnection({ requirement, expected }: CheckFailure, reply: Reply): Diagnosis | undefined {
  if (requirement !== 'HTTP-9' || !expected.startsWith('Connection') || errorCodeOf(reply) === undefined)
    return undefined
  return is("The shop's own response does not end the connection. Send `Connection: close`, and close the connection.")
}

/** Returns the cause of an error response with an unexpected code, or of an error response to a valid request. */
function causeOfRejection({ requirement, expected }: CheckFailure, reply: Reply): Diagnosis | undefined {
  const code = errorCodeOf(reply)
  const [, wanted, wantedCode] = /^(\d{3}) (\w+)$/.exec(expected) ?? []
  if (code === undefined) return undefined
  if (wanted === undefined || wantedCode === undefined) return causeOfRefusal(requirement, reply)
  const isOwn = !isErrorCode(code)
  if (Number(wanted) === reply.status && (isOwn || requirement === 'ERROR-2'))
    return is(
      `The shop uses its own error codes, such as \`${code}\` instead of \`${wantedCode}\`. Use the codes of the API.`,
      isOwn ? 'own codes' : requirement,
    )
  if (wanted !== '400' || reply.status !== 404 || requirement === 'RETRY-8') return undefined
  return is(
    `The request is rejected with 404 \`${code}\`, because it is not validated, or only after the search for the data. It must return 400 \`${wantedCode}\`.`,
    `${requirement} 404`,
  )
}

/** Returns the cause of the rejection of a valid request. */
function causeOfRefusal(requirement: string, reply: Reply): Diagnosis | undefined {
  return requirement === 'BODY-11' && reply.request.target.includes('?email=') && reply.status === 400
    ? is('The query of a POST is validated. Ignore it, because the fields of a POST are in its body.')
    : undefined
}
