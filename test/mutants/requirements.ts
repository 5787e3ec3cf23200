import { readFileSync } from 'node:fs'
import { checks } from '@storeport/conformance'

/** The requirement by which the kit finds each mutant, by defect. A line of `mutants.txt` is `<requirement>: <defect>`. */
export const requirements: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('mutants.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(colon + 2), line.slice(0, colon)]
    }),
)

/** Returns the ids of the checks that test a requirement; without a requirement, of all checks. */
export function checksOf(requirement?: string): readonly string[] {
  return checks.flatMap(({ id, requirements: tested }) =>
    requirement === undefined || tested.some((one) => one === requirement) ? [id] : [],
  )
}
