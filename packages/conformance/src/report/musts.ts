import { type EndpointName, isEndpointName } from '@storeport/core'
import type { Check } from '../engine/check.ts'
import type { Level, RequirementId } from '../engine/requirement.ts'
import type { RunMode } from '../engine/options.ts'
import type { CheckResult } from '../run/run-check.ts'
import { appliesTo, selectChecks } from '../run/run-checks.ts'
import { isRequirementId, requirementOf, requirements, topics } from '../run/topics.ts'
import type { Musts, UntestedMust } from './report.ts'

/**
 * Returns the result of every `must` and every risk of the offered endpoints.
 *
 * Omits a `must` that an option excludes. Lists a risk that an option excludes as untested, so the verdict cannot be
 * READY, unless `countsExcluded` is false.
 */
export function mustsOf(
  results: readonly CheckResult[],
  offered: readonly EndpointName[],
  mode: RunMode,
  countsExcluded = true,
): Musts {
  const levelOf = (id: RequirementId) => requirementOf(id).level
  const tried = new Set(results.filter(({ ranThrough }) => ranThrough).flatMap(({ check }) => check.requirements))
  const failed = new Set(results.flatMap(({ failure }) => failure?.requirement ?? []))
  const all = Object.keys(requirements)
    .filter(isRequirementId)
    .filter((id) => levelOf(id) !== 'should' && (failed.has(id) || concerns(id, levelOf(id), offered, mode)))
  const open = all.filter((id) => !tried.has(id) && !failed.has(id))
  const untested = open.flatMap((id) => {
    const entry = untestedMust(id, results, mode)
    return entry === undefined || (entry.isExcluded && (levelOf(id) === 'must' || !countsExcluded)) ? [] : [entry]
  })
  const excused = open.filter((id) => !untested.some((entry) => entry.id === id))
  return {
    all: all.length - excused.length,
    held: all.filter((id) => !open.includes(id) && !failed.has(id)).length,
    failed: all.filter((id) => failed.has(id)),
    untested: untested.map(({ isExcluded: _, ...entry }) => entry),
  }
}

/** Returns whether a requirement applies to the offered endpoints. */
function concerns(id: RequirementId, level: Level, offered: readonly EndpointName[], mode: RunMode): boolean {
  const topic = topics.find((one) => Object.hasOwn(one.requirements, id))?.name ?? ''
  const citing = selectChecks({ mode: level === 'must' ? 'stress' : mode }).filter(({ requirements: cited }) =>
    cited.includes(id),
  )
  const isOffered = (name: EndpointName) => offered.includes(name)
  if (level === 'risk') return citing.some((check) => check.needs.every(isOffered) && appliesTo(check, offered))
  if (isEndpointName(topic)) return isOffered(topic)
  return citing.some(({ id: check, needs }) => {
    const [subject = ''] = check.split('.')
    return isEndpointName(subject) ? isOffered(subject) : needs.every(isOffered)
  })
}

/** Returns why no check of a requirement completed, and the remedy; `undefined` if it does not apply to the shop. */
function untestedMust(id: RequirementId, results: readonly CheckResult[], mode: RunMode) {
  const found = results.filter(({ check }) => check.requirements.includes(id))
  const possible = found.filter(({ cause }) => cause?.kind !== 'offer')
  const isExcluded = possible.length > 0 && possible.every(({ cause }) => cause?.kind === 'excused')
  const hasOnlyOthers = possible.every(({ cause, check }) => cause?.kind === 'excused' || isNotApplicable(cause, check))
  if (possible.length > 0 && hasOnlyOthers && !isExcluded) return undefined
  return { id, sentence: requirementOf(id).sentence, ...chooseRemedy(found, mode), isExcluded }
}

/** Returns whether a check was skipped because it does not apply to this shop. It needs no specific endpoint. */
function isNotApplicable(cause: CheckResult['cause'], { needs }: Check): boolean {
  return cause?.kind === 'other' && needs.length === 0
}

type Remedy = Pick<UntestedMust, 'reason' | 'remedy'>

/** Maps each profile field to the command-line option that sets it and its test data. */
const testData: Readonly<Record<string, string>> = {
  'customers.subscribed': '--customer EMAIL, a test customer with an active subscription if the shop has any',
  'customers.cancelled': '--cancelled EMAIL, a test customer with cancelled subscriptions that can be reactivated',
  'subscriptions.cancelled':
    '--cancelled EMAIL, a test customer with cancelled subscriptions and no active subscription',
  'customers.otherCustomer': '--other-customer EMAIL, another test customer with an active subscription',
  'discounts.percentage': '--code CODE, a valid discount code',
  'actions.known': '--action ID, a custom action that is safe to run repeatedly',
}

/** Returns the remedy that requires the least effort, and the reason why the requirement was not tested. */
function chooseRemedy(citing: readonly CheckResult[], mode: RunMode): Remedy {
  const remedies = citing
    .flatMap((result) => remedyOf(result) ?? [])
    .toSorted((one, other) => one.effort - other.effort)
  const [best] = remedies
  if (best !== undefined) return { reason: best.reason, remedy: best.remedy }
  return {
    reason: 'none of its checks ran',
    remedy: mode === 'read-only' ? changingRun : 'a complete run of its checks',
  }
}

function remedyOf(result: CheckResult): (Remedy & { readonly effort: number }) | undefined {
  const { check, outcome, reason = '', cause } = result
  const of = (remedy: string, effort: number, why = reason) => ({ reason: why, remedy, effort })
  if (outcome === 'failed') return of('a fix for that failure', 0, 'its checks ended early because of another failure')
  switch (cause?.kind) {
    case 'profile': {
      const unknown = cause.lacks.filter((where) => testData[where] === undefined)
      const remedies = cause.lacks.map(
        (where) => testData[where] ?? `${where} in the profile (--profile FILE; --save writes one)`,
      )
      return of(remedies.join(' and '), unknown.length * 10 + cause.lacks.length)
    }
    case 'spent':
      return of(describeRepeat(check.id), 5)
    case 'pause':
      return of(`a run in ${cause.seconds} s`, 4)
    case 'read-only':
      return of(changingRun, 3)
    case 'offer':
      return of(`a shop that also offers ${cause.lacks.join(', ')}`, 100)
    case 'other':
      return of('another run', 50)
    case 'excused':
      return of('a run that does not exclude its checks', 60)
    case undefined:
      return undefined
  }
}

/** The remedy for a requirement that a read-only run cannot test. */
const changingRun = 'a run without --read-only, on a test shop'

/** Returns how to repeat a check whose test data was used up by an earlier run. */
function describeRepeat(id: string): string {
  const customer = (option: string) => `another customer (${option} EMAIL)`
  if (id.startsWith('sendNow.')) return `a run tomorrow, or with ${customer('--other-customer')}`
  const option = /^(?:reactivateSubscription|listCancelledSubscriptions)\./.test(id) ? '--cancelled' : '--customer'
  return `a run with ${customer(option)}, or on fresh test data`
}
