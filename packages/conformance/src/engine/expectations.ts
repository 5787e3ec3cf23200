import { isDeepStrictEqual } from 'node:util'
import { type ErrorCode, errors } from '@storeport/core'
import * as z from 'zod/mini'
import type { About, Check, CheckContext, FailureDetails } from './check.ts'
import type { Requirement, RequirementId } from './requirement.ts'
import type { CheckFailure, Evidence } from './check-end.ts'
import { dataOf, describeIssue, isObject, ownMessages, type Reply } from '../http/reply.ts'

type Expectations = Pick<
  CheckContext,
  'accepted' | 'data' | 'rejected' | 'errorBody' | 'status' | 'equal' | 'ok' | 'secondary'
>

/**
 * Creates the expectations of a check.
 *
 * A failed expectation throws CheckFailure for the given requirement, or for the first requirement of the check. A
 * failed secondary expectation passes the CheckFailure to `note` instead, and the check continues.
 */
export function createExpectations(
  check: Check,
  evidence: Evidence,
  note: (makeFailure: () => CheckFailure) => void,
  requirementOf?: (id: RequirementId) => Requirement,
): Expectations {
  const [first] = check.requirements

  function fail(details: Omit<FailureDetails, 'requirement' | 'reply'>, ...about: readonly About[]): never {
    const requirement = about.find((part) => typeof part === 'string') ?? first
    throw evidence.failure({ ...details, requirement, reply: about.find((part) => typeof part === 'object') })
  }

  /**
   * Returns the requirement of a rejection with another status or code: the expected requirement or one that names the
   * code. A specified requirement only requires the rejection.
   */
  function ofCode(code: ErrorCode, requirement: RequirementId | undefined): RequirementId {
    const named = requirement === undefined ? check.requirements : [requirement]
    const found = named.find((id, index) => {
      const { level, sentence } = requirementOf?.(id) ?? {}
      return level === 'should' && (index === 0 || sentence?.includes(`\`${code}\``) === true)
    })
    return found ?? 'ERROR-2'
  }

  function expectSuccess(reply: Reply, requirement?: RequirementId): void {
    if (reply.status !== 200) fail({ expected: 'status 200', wanted: { status: 200 } }, reply, requirement)
    if (!isObject(reply.json)) fail({ expected: 'a JSON object', wanted: { body: 'object' } }, reply, 'JSON-1')
    if (reply.json['success'] === true) return
    fail({ expected: '`success: true`', wanted: { body: 'success' } }, reply, 'JSON-1')
  }

  function errorBody(reply: Reply, requirement: RequirementId = 'ERROR-1'): void {
    if (isErrorBody(reply.json)) return
    const expected = '`{"success": false, "error": {"code": "…", "message": "…"}}`'
    fail({ expected, wanted: { body: 'error' } }, reply, requirement)
  }

  return {
    accepted: expectSuccess,
    data(reply, schema, types, required = types) {
      expectSuccess(reply, types)
      const data = dataOf(reply)
      if (!isObject(data)) fail({ expected: 'an object `data`', wanted: { body: 'data' } }, reply, 'JSON-1')
      const result = z.safeParse(schema, data, { ...ownMessages, reportInput: true })
      if (result.success) return result.data
      const [issue] = result.error.issues
      const where = ['data', ...(issue?.path ?? [])].join('.')
      const value = issue?.input
      const isDoubled = issue?.message.includes('same id twice') === true
      const inType = issue?.code === 'invalid_type' ? types : isDoubled ? 'SUBSCRIPTION-4' : 'JSON-5'
      const rule = issue === undefined ? 'is not valid' : describeIssue(issue)
      const details = { expected: `${where}: ${rule}`, received: formatValue(value), wanted: { field: where, rule } }
      return fail(details, reply, value === undefined ? required : inType)
    },
    rejected(reply, code, requirement) {
      const { status } = errors[code]
      if (reply.status >= 200 && reply.status < 300) {
        fail({ expected: `a rejection with ${status} ${code}`, wanted: { status } }, reply, requirement)
      }
      if (reply.status >= 500) fail({ expected: `status ${status}` }, reply, 'ERROR-5')
      errorBody(reply)
      if (reply.status === status && errorCodeOf(reply) === code) return
      const details = { expected: `${status} ${code}`, reply, wanted: { status, code } }
      note(() => evidence.failure({ ...details, requirement: ofCode(code, requirement) }))
    },
    errorBody,
    status(reply, expected, requirement) {
      if (reply.status === expected) return
      fail({ expected: `status ${expected}`, wanted: { status: expected } }, reply, requirement)
    },
    equal(received, expected, what, ...about) {
      if (isDeepStrictEqual(received, expected)) return
      const { path, one, other } = firstDifference(received, expected)
      const where = path === '' ? what : `${what}, at ${path}`
      const wanted = { equal: [other, one] as const }
      fail({ expected: `${where}: ${formatValue(other)}`, received: formatValue(one), wanted }, ...about)
    },
    ok(holds, expected, ...about) {
      if (!holds) fail({ expected }, ...about)
    },
    secondary(holds, expected, reply, requirement) {
      if (!holds) note(() => evidence.failure({ expected, reply, requirement }))
    },
  }
}

/** Returns the error code of a reply; `undefined` if the reply has no valid error body. */
export function errorCodeOf(reply: Reply): string | undefined {
  return isErrorBody(reply.json) ? reply.json.error.code : undefined
}

/** Returns the error message of a reply; an empty string if the reply has no valid error body. */
export function errorMessageOf(reply: Reply): string {
  return isErrorBody(reply.json) ? reply.json.error.message : ''
}

interface ErrorBody {
  readonly success: false
  readonly error: { readonly code: string; readonly message: string }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (!isObject(body) || body['success'] !== false || !isObject(body['error'])) return false
  return isText(body['error']['code']) && isText(body['error']['message'])
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Formats a value as JSON, or a missing value as `nothing`. */
export function formatValue(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

interface Difference {
  /** Path of the difference, such as `[1].quantity`; an empty string if the values differ as a whole. */
  readonly path: string
  readonly one: unknown
  readonly other: unknown
}

/** Finds the first difference between two values, since long lists are hard to compare in a report. */
function firstDifference(one: unknown, other: unknown, path = ''): Difference {
  if (Array.isArray(one) && Array.isArray(other)) {
    const at = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index)
    const index = at.find((place) => !isDeepStrictEqual(one[place], other[place]))
    if (index !== undefined) return firstDifference(one[index], other[index], `${path}[${index}]`)
  } else if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(other), ...Object.keys(one)])]
    const name = names.find((field) => !isDeepStrictEqual(one[field], other[field]))
    if (name !== undefined) return firstDifference(one[name], other[name], path === '' ? name : `${path}.${name}`)
  }
  return { path, one, other }
}
