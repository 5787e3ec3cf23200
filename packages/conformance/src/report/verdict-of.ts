import type { Report, Verdict } from './report.ts'

/** The exit code of each verdict. */
export const exitCodes = {
  READY: 0,
  'NOT TRIED': 0,
  'NOT CONFORMING': 1,
  'NOT CHECKED': 2,
  INCOMPLETE: 3,
  'CONFORMS, NOT READY': 4,
} as const satisfies Record<Verdict, number>

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
  if (counts.failed > 0) return 'NOT CONFORMING'
  if (mode === 'read-only') return 'NOT TRIED'
  return musts.untried.length > 0 ? 'INCOMPLETE' : 'READY'
}

/** The exit code of the command: that of the verdict; of chosen checks 1 where one fails, else 0. */
export function exitCodeOf({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>): 0 | 1 | 2 | 3 | 4 {
  if (verdict === null) return counts.failed > 0 ? 1 : 0
  return exitCodes[verdict]
}
