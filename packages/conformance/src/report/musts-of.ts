import type { EndpointName } from '@storeport/core'
import { checks } from '../checks.ts'
import { type RequirementId, requirements } from '../requirements.ts'
import type { CheckResult } from '../engine/run-check.ts'
import type { RunMode } from '../engine/run-options.ts'
import type { Musts } from './report.ts'

/** How the specified requirements came out, as far as the offered endpoints are concerned. */
export function mustsOf(results: readonly CheckResult[], offered: readonly EndpointName[], mode: RunMode): Musts {
  const concerned = checks.filter(({ needs }) => needs.every((name) => offered.includes(name)))
  const tried = new Set(results.filter(({ ranThrough }) => ranThrough).flatMap(({ check }) => check.requirements))
  const failed = new Set(results.flatMap(({ failure }) => failure?.requirement ?? []).filter(isMust))
  const all = new Set([...concerned.flatMap(({ requirements: cited }) => cited).filter(isMust), ...failed])
  const untried = [...all].filter((id) => !tried.has(id) && !failed.has(id))
  return {
    all: all.size,
    failed: [...failed],
    untried: untried.map((id) => ({ id, reason: reasonFor(id, results, mode) })),
  }
}

/** Why no check that cites a requirement came to its end. */
function reasonFor(id: RequirementId, results: readonly CheckResult[], mode: RunMode): string {
  const citing = results.filter(({ check }) => check.requirements.includes(id))
  if (citing.length === 0) return mode === 'read-only' ? 'a read-only run cannot see it' : 'it was not chosen'
  if (citing.some(({ outcome }) => outcome === 'failed')) return 'the checks of it found something else before'
  const reasons = citing.flatMap(({ reason }) => reason ?? [])
  return reasons.find((reason) => !reason.startsWith('the shop does not offer')) ?? reasons[0] ?? 'it was not tried'
}

function isMust(id: RequirementId): boolean {
  return requirements[id].level === 'must'
}
