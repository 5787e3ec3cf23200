import { origins, type RequirementId } from '../engine/requirement.ts'
import { checks, requirementOf } from '../run/topics.ts'

/** Returns the output of `--explain`: a requirement and its checks. */
export function explainRequirement(id: RequirementId): string {
  const { sentence, level, reason, cause, risk } = requirementOf(id)
  const citing = checks.filter(({ requirements }) => requirements.includes(id))
  return [
    `${id} (${origins[level]}): ${sentence}`,
    '',
    ...(risk === undefined ? [] : [`risk            ${risk}`]),
    `why it matters  ${reason}`,
    `usual cause     ${cause}`,
    'checks',
    ...citing.map((check) => `  ${check.id}: ${check.title}`),
    '',
  ].join('\n')
}
