import { type EndpointName, isEndpointName } from '@storeport/core'
import type { Check } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { RunMode } from '../engine/options.ts'
import type { CheckResult } from '../run/run-check.ts'
import { checks, isRequirementId, requirementOf, requirements, topicOf } from '../run/topics.ts'
import type { Musts, UntriedMust } from './report.ts'

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
  return checks.some(({ id: check, requirements: cited, needs }) => {
    if (!cited.includes(id)) return false
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

function isMust(id: RequirementId): boolean {
  return requirementOf(id).level === 'must'
}

type Remedy = Pick<UntriedMust, 'reason' | 'give'>

/** What each place in the profile takes: the option of the command, and what must follow it. */
const options: Readonly<Record<string, string>> = {
  'customers.subscribed': '--customer EMAIL, a test customer with an active subscription where the shop has any',
  'customers.cancelled': '--cancelled EMAIL, a test customer with cancelled subscriptions that can be reactivated',
  'subscriptions.cancelled': '--cancelled EMAIL, a test customer with cancelled subscriptions and no active one',
  'customers.otherCustomer': '--other-customer EMAIL, another test customer with an active subscription',
  'discounts.percentage': '--code CODE, a discount code that is valid',
  'actions.known': '--action ID, a custom action that may be run as often as one likes',
}

/** Why a requirement was not tried, and what would let it be: of all the checks that cite it, what takes least. */
function whatToGive(citing: readonly CheckResult[], mode: RunMode): Remedy {
  const remedies = citing
    .flatMap((result) => remedyOf(result) ?? [])
    .toSorted((one, other) => one.effort - other.effort)
  const [best] = remedies
  if (best !== undefined) return { reason: best.reason, give: best.give }
  if (mode === 'read-only')
    return { reason: 'a read-only run cannot see it', give: 'a run without --read-only, on a test shop' }
  return { reason: 'it was not chosen', give: 'a run of all checks' }
}

function remedyOf({
  check,
  outcome,
  reason = '',
  cause,
}: CheckResult): (Remedy & { readonly effort: number }) | undefined {
  if (outcome === 'failed') {
    return {
      reason: 'the checks of it found something else before',
      give: 'a fix of what they found',
      effort: 0,
    }
  }
  switch (cause?.kind) {
    case 'profile': {
      const unknown = cause.lacks.filter((where) => options[where] === undefined)
      return {
        reason,
        give: cause.lacks.map(giveWords).join(' and '),
        effort: unknown.length * 10 + cause.lacks.length,
      }
    }
    case 'spent':
      return { reason, give: repeatWords(check.id), effort: 5 }
    case 'pause':
      return { reason, give: `a run in ${cause.seconds} s`, effort: 4 }
    case 'offer':
      return { reason, give: `a shop that offers ${cause.lacks.join(', ')} too`, effort: 100 }
    case 'other':
      return { reason, give: 'another run', effort: 50 }
    case 'excused':
    case undefined:
      return undefined
  }
}

function giveWords(where: string): string {
  return options[where] ?? `${where} in the profile (--profile FILE; --init writes one)`
}

/** When or with whom to repeat what an earlier run used up. */
function repeatWords(id: string): string {
  if (id.startsWith('sendNow.')) return 'a run tomorrow, or with another customer (--other-customer EMAIL)'
  if (/^(?:reactivateSubscription|listCancelledSubscriptions)\./.test(id))
    return 'a run with another customer (--cancelled EMAIL), or on fresh test data'
  return 'a run with another customer (--customer EMAIL), or on fresh test data'
}
