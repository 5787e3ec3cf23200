import { plural } from '../report/words.ts'
import { requirements } from '../requirements.ts'
import type { RunMode } from '../engine/run-options.ts'
import { selectChecks } from '../engine/select-checks.ts'

/** One line for each check of a run: its id, how binding it is, what it does to a shop, and what it says. */
export function listChecks(mode: RunMode, only: readonly string[]): string {
  const checks = selectChecks({ mode, only: only.length === 0 ? undefined : only })
  const width = Math.max(0, ...checks.map(({ id }) => id.length)) + 2
  const lines = checks.map((check) => {
    const level = check.requirements.some((id) => requirements[id].level === 'must') ? 'must' : 'should'
    return `${check.id.padEnd(width)}${level.padEnd(8)}${check.mode.padEnd(11)}${check.title} [${check.requirements.join(' ')}]`
  })
  return [...lines, '', plural(checks.length, 'check'), ''].join('\n')
}
