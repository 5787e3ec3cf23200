import type { Mutant } from '../mutant.ts'
import { type Flaw, flaws } from '../over-sockets/flaw.ts'

// oxlint-disable-next-line typescript/consistent-type-assertions -- Object.keys returns string[]; the keys are those of the table
const names = Object.keys(flaws) as Flaw[]

export const mutants: readonly Mutant[] = names.map((flaw) => ({
  defect: `the HTTP server ${flaw}`,
  caughtBy: flaws[flaw],
  flaw,
}))
