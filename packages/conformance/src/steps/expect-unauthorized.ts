import type { CheckContext } from '../engine/check-context.ts'
import type { Reply } from '../http/reply.ts'
import type { RequirementId } from '../engine/requirement.ts'

/** Expects a caller without a valid key to be turned away: 401 in the error body. */
export function expectUnauthorized(t: CheckContext, reply: Reply, requirement?: RequirementId): void {
  t.status(reply, 401, requirement)
  t.errorBody(reply, 'AUTH-4')
  t.refused(reply, 'unauthorized', requirement)
}
