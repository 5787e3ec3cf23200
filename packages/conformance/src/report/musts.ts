import { type EndpointName, isEndpointName } from '@storeport/core'
import type { Check } from '../engine/check.ts'
import type { Level, RequirementId } from '../engine/requirement.ts'
import type { RunMode } from '../engine/options.ts'
import type { CheckResult } from '../run/run-check.ts'
import { appliesTo, selectChecks } from '../run/run-checks.ts'
import { isRequirementId, requirementOf, requirements, topicOf } from '../run/topics.ts'
import type { Musts, UntestedMust } from './report.ts'
import { contractVersion, levelIn, requirementSet, type RequirementSet } from './requirement-set.ts'

/** Options of `mustsOf`. */
interface MustsOptions {
  readonly mode: RunMode
  /** Whether risks that an option excludes are listed as untested; defaults to true. */
  readonly countsExcluded?: boolean
  /** Defaults to the requirements of the current contract. */
  readonly set?: RequirementSet
  /** Whether a remedy contains command-line options; defaults to true. */
  readonly hasOptions?: boolean | undefined
}

/**
 * Returns the result of every `must` and every risk of the offered endpoints.
 *
 * Omits a `must` that an option excludes. By default, a risk that an option excludes is listed as untested, so the
 * verdict cannot be READY.
 */
export function mustsOf(
  results: readonly CheckResult[],
  offered: readonly EndpointName[],
  { mode, countsExcluded = true, set = requirementSet(contractVersion), hasOptions = true }: MustsOptions,
): Musts {
  const levelOf = (id: RequirementId) => levelIn(set, id)
  const tried = new Set(results.filter(({ ranThrough }) => ranThrough).flatMap(({ check }) => check.requirements))
  const failed = new Set(results.flatMap(({ failure }) => failure?.requirement ?? []))
  const all = Object.keys(requirements)
    .filter(isRequirementId)
    .filter((id) => levelOf(id) !== 'should' && (failed.has(id) || concerns(id, levelOf(id), offered, mode)))
  const open = all.filter((id) => !tried.has(id) && !failed.has(id))
  const untested = open.flatMap((id) => {
    const entry = untestedMust(id, results, mode, hasOptions)
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
  const topic = topicOf(id)?.name ?? ''
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

/**
 * Returns why no check of a requirement completed, and the remedy; `undefined` if the requirement does not apply to the
 * shop.
 */
function untestedMust(id: RequirementId, results: readonly CheckResult[], mode: RunMode, hasOptions: boolean) {
  const found = results.filter(({ check }) => check.requirements.includes(id))
  const possible = found.filter(({ cause }) => cause?.kind !== 'offer')
  const isExcluded = possible.length > 0 && possible.every(({ cause }) => cause?.kind === 'excused')
  const hasOnlyOthers = possible.every(({ cause, check }) => cause?.kind === 'excused' || isNotApplicable(cause, check))
  if (possible.length > 0 && hasOnlyOthers && !isExcluded) return undefined
  return { id, sentence: requirementOf(id).sentence, ...chooseRemedy(found, mode, hasOptions), isExcluded }
}

/**
 * Returns whether a check was skipped because it does not apply to this shop. Such a check needs no specific endpoint.
 */
function isNotApplicable(cause: CheckResult['cause'], { needs }: Check): boolean {
  return cause?.kind === 'other' && needs.length === 0
}

type Remedy = Pick<UntestedMust, 'reason' | 'remedy'>

/** Maps each profile field to the command-line option that sets it and to a description of its test data. */
const testData: Readonly<Record<string, readonly [option: string, description: string]>> = {
  'customers.subscribed': ['--customer EMAIL', 'a test customer with an active subscription if the shop has any'],
  'customers.cancelled': ['--cancelled EMAIL', 'a test customer with cancelled subscriptions that can be reactivated'],
  'subscriptions.cancelled': [
    '--cancelled EMAIL',
    'a test customer with cancelled subscriptions and no active subscription',
  ],
  'customers.otherCustomer': ['--other-customer EMAIL', 'another test customer with an active subscription'],
  'discounts.percentage': ['--code CODE', 'a valid discount code'],
  'actions.known': ['--action ID', 'a custom action that is safe to run repeatedly'],
}

/** Returns the remedy that requires the least effort, and the reason why the requirement was not tested. */
function chooseRemedy(citing: readonly CheckResult[], mode: RunMode, hasOptions: boolean): Remedy {
  const remedies = citing
    .flatMap((result) => remedyOf(result, hasOptions) ?? [])
    .toSorted((one, other) => one.effort - other.effort)
  const [best] = remedies
  if (best !== undefined) return { reason: best.reason, remedy: best.remedy }
  const remedy = mode === 'read-only' ? describeChangingRun(hasOptions) : 'a complete run of its checks'
  return { reason: 'none of its checks ran', remedy }
}

function remedyOf(
  { check, outcome, reason = '', cause }: CheckResult,
  hasOptions: boolean,
): (Remedy & { readonly effort: number }) | undefined {
  if (outcome === 'failed') {
    return {
      reason: 'its checks ended early because of another failure',
      remedy: 'a fix for that failure',
      effort: 0,
    }
  }
  switch (cause?.kind) {
    case 'profile': {
      const unknown = cause.lacks.filter((where) => testData[where] === undefined)
      return {
        reason,
        remedy: cause.lacks.map((where) => describeRemedy(where, hasOptions)).join(' and '),
        effort: unknown.length * 10 + cause.lacks.length,
      }
    }
    case 'spent':
      return { reason, remedy: describeRepeat(check.id, hasOptions), effort: 5 }
    case 'pause':
      return { reason, remedy: `a run in ${cause.seconds} s`, effort: 4 }
    case 'read-only':
      return { reason, remedy: describeChangingRun(hasOptions), effort: 3 }
    case 'offer':
      return { reason, remedy: `a shop that also offers ${cause.lacks.join(', ')}`, effort: 100 }
    case 'other':
      return { reason, remedy: 'another run', effort: 50 }
    case 'excused':
      return { reason, remedy: 'a run that does not exclude its checks', effort: 60 }
    case undefined:
      return undefined
  }
}

/** Returns the remedy for a requirement that a read-only run cannot test. */
function describeChangingRun(hasOptions: boolean): string {
  return hasOptions ? 'a run without --read-only, on a test shop' : 'a run that changes data, on a test shop'
}

function describeRemedy(where: string, hasOptions: boolean): string {
  const known = testData[where]
  if (known !== undefined) return hasOptions ? known.join(', ') : known[1]
  return `${where} in the profile${hasOptions ? ' (--profile FILE; --init writes one)' : ''}`
}

/** Returns how to repeat a check whose test data was used up by an earlier run. */
function describeRepeat(id: string, hasOptions: boolean): string {
  const customer = (option: string) => `another customer${hasOptions ? ` (${option} EMAIL)` : ''}`
  if (id.startsWith('sendNow.')) return `a run tomorrow, or with ${customer('--other-customer')}`
  const option = /^(?:reactivateSubscription|listCancelledSubscriptions)\./.test(id) ? '--cancelled' : '--customer'
  return `a run with ${customer(option)}, or on fresh test data`
}
