import { readFileSync } from 'node:fs'
import { checks } from '@storeport/conformance'

/**
 * The line of each mutant in `mutants.txt`, by defect. `<requirement>: <defect>` means that a check finds the mutant, and
 * `<requirement> explorer: <defect>` that only random sequences do.
 */
export const lineOf: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('mutants.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(line.indexOf(': ') + 2), line]),
)

/** Returns the requirement by which the kit finds a mutant. `undefined` for a mutant without a line. */
export function requirementOf(defect: string): string | undefined {
  return lineOf.get(defect)?.split(/:| /, 1)[0]
}

/** Returns the ids of the checks that test a requirement; without a requirement, of all checks. */
export function checksOf(requirement?: string): readonly string[] {
  return checks.flatMap(({ id, requirements: tested }) =>
    requirement === undefined || tested.some((one) => one === requirement) ? [id] : [],
  )
}
