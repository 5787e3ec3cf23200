import { type EndpointName, isEndpointName } from '@storeport/core'
import { checks, isRequirementId, requirementOf, requirements, topicOf } from '../topics.ts'
import type { CheckResult } from '../run/run-check.ts'
import type { RunMode } from '../engine/options.ts'
import type { Check } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Musts, UntriedMust } from './report.ts'
import { whatToGive } from './what-to-give.ts'

/** How the specified requirements of the offered endpoints came out; those of checks that an option leaves out do not count. */
export function mustsOf(results: readonly CheckResult[], offered: readonly EndpointName[], mode: RunMode): Musts {
  const tried = new Set(results.filter(({ ranThrough }) => ranThrough).flatMap(({ check }) => check.requirements))
  const failed = new Set(results.flatMap(({ failure }) => failure?.requirement ?? []).filter(isMust))
  const all = Object.keys(requirements)
    .filter(isRequirementId)
    .filter((id) => isMust(id) && (failed.has(id) || concerns(id, offered)))
  const open = all.filter((id) => !tried.has(id) && !failed.has(id))
  const untried = open.flatMap((id) => untriedMust(id, results, mode) ?? [])
  const excused = open.length - untried.length
  return { all: all.length - excused, held: all.length - open.length - failed.size, failed: [...failed], untried }
}

/** Whether an offered endpoint can break a requirement: its own, or one that a check which cites it is about. */
function concerns(id: RequirementId, offered: readonly EndpointName[]): boolean {
  const topic = topicOf(id)?.name ?? ''
  if (isEndpointName(topic)) return offered.includes(topic)
  return citing(checks, id).some(({ id: check, needs }) => {
    const [subject = ''] = check.split('.')
    return isEndpointName(subject) ? offered.includes(subject) : needs.every((name) => offered.includes(name))
  })
}

/** Why no check that cites a requirement came to its end, and what it takes; `undefined` when an option excuses it, or nothing can break it. */
function untriedMust(id: RequirementId, results: readonly CheckResult[], mode: RunMode): UntriedMust | undefined {
  const found = results.filter(({ check }) => check.requirements.includes(id))
  const possible = found.filter(({ cause }) => cause?.kind !== 'offer')
  const isExcused = possible.every(({ cause, check }) => cause?.kind === 'excused' || isMoot(cause, check))
  if (possible.length > 0 && isExcused) return undefined
  return { id, sentence: requirementOf(id).sentence, ...whatToGive(found, mode) }
}

/** A check of no endpoint in particular that finds nothing here it could be made with. */
function isMoot(cause: CheckResult['cause'], { needs }: Check): boolean {
  return cause?.kind === 'other' && needs.length === 0
}

function citing(all: readonly Check[], id: RequirementId): readonly Check[] {
  return all.filter(({ requirements: cited }) => cited.includes(id))
}

function isMust(id: RequirementId): boolean {
  return requirementOf(id).level === 'must'
}
