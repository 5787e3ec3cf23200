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

/** What the verdict rests on and what to do next, in sentences. */
export function sentencesOf(report: Omit<Report, 'sentences'>): readonly string[] {
  const { verdict, counts, musts, strict, problem, only, changed } = report
  const sentences: string[] = []
  if (problem !== null) sentences.push(`Not all could be checked: ${problem}.`)
  sentences.push(...mustWords(musts, only))
  if (strict && counts.failed > 0)
    sentences.push('With --strict, what was decided where the caller specifies nothing counts too.')
  if (verdict !== 'NOT CONFORMING' && counts.warnings > 0) {
    sentences.push(
      `${plural(counts.warnings, 'warning')}: the caller specifies nothing there and may well work; what was decided is safer.`,
    )
  }
  if (verdict === 'NOT TRIED') sentences.push('A run that may change test customers tells more.')
  sentences.push(...changed.map((change) => `Left changed: ${change}`))
  if (verdict === null) sentences.push('Chosen checks give no verdict: a whole run does.')
  return sentences
}

/** How the specified requirements came out; of chosen checks, only those that they try. */
function mustWords({ failed, held, untried }: Report['musts'], only: readonly string[]): readonly string[] {
  const isChosen = only.length > 0
  const parts = [
    ...(held > 0 ? [`${held} hold`] : []),
    ...(failed.length > 0 ? [`${failed.length} ${failed.length === 1 ? 'does' : 'do'} not hold`] : []),
    ...(untried.length > 0 && !isChosen ? [`${untried.length} not tried`] : []),
  ]
  if (parts.length === 0) return []
  return [
    `Specified requirements: ${parts.join(', ')}.`,
    ...(failed.length > 0 ? [`What does not hold: ${failed.join(', ')}.`] : []),
    ...(isChosen ? [] : untriedWords(untried)),
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

/** One sentence for each thing that would let some of them be tried. */
function untriedWords(untried: Report['musts']['untried']): readonly string[] {
  return tally(untried.map(({ give }) => give)).map(([give]) => {
    const same = untried.filter((other) => other.give === give)
    const reasons = tally(same.map(({ reason }) => reason)).map(([reason]) => reason)
    return `Not tried: ${same.map(({ id }) => id).join(', ')} (${reasons.join('; ')}). It takes ${give}.`
  })
}
