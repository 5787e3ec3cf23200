import type { FoundCause, ReportGroup, ReportResult } from './report.ts'
import { tally } from './words.ts'

/** What was found, by what usually causes it and by the family of endpoints: failures first, the most frequent first. */
export function causesOf(groups: readonly ReportGroup[]): readonly FoundCause[] {
  return (['failed', 'warning'] as const).flatMap((outcome) => {
    const found = groups.flatMap((group) => {
      const results = group.results.filter((result) => result.outcome === outcome)
      return tally(results.map(commonOf)).map(([common]) => {
        const same = results.filter((result) => commonOf(result) === common)
        const checks = same.map(({ id }) => id)
        return { family: group.name, title: group.title, outcome, cause: same[0]?.finding?.cause ?? '', checks }
      })
    })
    return found.toSorted((one, other) => other.checks.length - one.checks.length)
  })
}

/** What findings of one cause have in common: it, and what came back where that is no answer at all. */
function commonOf({ finding }: ReportResult): string {
  if (finding === null) return ''
  return finding.curl !== null && finding.answer === null ? `${finding.cause} ${finding.received}` : finding.cause
}
