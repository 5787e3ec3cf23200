import type { Counts, Report } from './report.ts'

/** How checks came out, in words: what there is none of is left out. */
export function countWords({ passed, failed, warnings, skipped }: Counts): readonly string[] {
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
}

/** What was checked and how, in one line. */
export function runWords({ groups, durationMs, mode, only, profile, strict }: Report): string {
  const count = groups.reduce((sum, { results }) => sum + results.length, 0)
  const modes = { 'read-only': 'read-only', default: 'default mode', stress: 'with stress' }
  const parts = [
    `${plural(count, 'check')} in ${(durationMs / 1000).toFixed(1)} s`,
    modes[mode],
    ...(only.length > 0 ? [`only ${only.join(', ')}`] : []),
    ...(strict ? ['strict'] : []),
    `test data: ${profile}`,
  ]
  return parts.join(' · ')
}

/** What the verdict means, in sentences. */
export function verdictWords({ verdict, counts, musts, strict, problem, only, mode }: Report): readonly string[] {
  const sentences: string[] = []
  if (problem !== null) sentences.push(`Not all could be checked: ${problem}.`)
  sentences.push(...mustWords(musts, only))
  if (strict && counts.failed > 0)
    sentences.push('With --strict, what was decided where the caller specifies nothing counts too.')
  if (verdict === 'READY' && counts.warnings > 0) {
    sentences.push(
      `${plural(counts.warnings, 'warning')}: the caller specifies nothing there and may well work; what was decided is safer.`,
    )
  }
  if (verdict === 'READY' && (only.length > 0 || mode === 'read-only')) {
    sentences.push(
      `This is what ${only.length > 0 ? 'the chosen' : 'read-only'} checks can tell; a whole run tells more.`,
    )
  }
  return sentences
}

/** How the specified requirements came out; of chosen checks, only those that they try. */
function mustWords({ all, failed, untried }: Report['musts'], only: readonly string[]): readonly string[] {
  const isChosen = only.length > 0
  const count = isChosen ? all - untried.length : all
  if (isChosen && count === 0) return []
  const which = `Specified requirements that ${isChosen ? 'were tried' : 'concern this shop'}`
  const held = all - failed.length - untried.length
  const hold = `${which}: ${held === count ? `all ${count}` : `${held} of ${count}`} hold`
  return [
    failed.length > 0 ? `${hold}; these do not: ${failed.join(', ')}.` : `${hold}.`,
    ...(untried.length > 0 && !isChosen ? [`${untriedWords(untried)}.`] : []),
  ]
}

/** A number and its word. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Each text with how often it is there, the most frequent first. */
export function tally(texts: readonly string[]): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

function untriedWords(untried: Report['musts']['untried']): string {
  const reasons = tally(untried.map(({ reason }) => reason)).map(([reason]) => {
    const ids = untried.filter((other) => other.reason === reason).map(({ id }) => id)
    return `${ids.join(', ')} (${reason})`
  })
  return `Not tried: ${reasons.join('; ')}`
}
