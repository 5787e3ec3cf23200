import type { Report, Verdict } from './report.ts'

/** The verdict of a run; `null` for chosen checks, which cannot give one. */
export function verdictOf({
  problem,
  counts,
  musts,
  only,
  mode,
}: Pick<Report, 'problem' | 'counts' | 'musts' | 'only' | 'mode'>): Verdict | null {
  if (problem !== null) return 'NOT CHECKED'
  if (only.length > 0) return null
  if (counts.failed > 0) return 'NOT READY'
  if (mode === 'read-only') return 'READY, read-only'
  return musts.untried.length > 0 ? 'INCOMPLETE' : 'READY'
}

/** The exit code of the command: 0 READY, 1 NOT READY, 2 NOT CHECKED, 3 INCOMPLETE; of chosen checks 0 or 1. */
export function exitCodeOf({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>): 0 | 1 | 2 | 3 {
  switch (verdict) {
    case 'READY':
    case 'READY, read-only':
      return 0
    case 'NOT READY':
      return 1
    case 'NOT CHECKED':
      return 2
    case 'INCOMPLETE':
      return 3
    case null:
      return counts.failed > 0 ? 1 : 0
  }
}
