import type { Mutant } from '../mutant.ts'
import { type Flaw, flaws } from '../over-sockets/flaw.ts'

// oxlint-disable-next-line typescript/consistent-type-assertions -- the table has no other keys
const names = Object.keys(flaws) as Flaw[]

/** What happens below the API, on connections. */
export const mutants: readonly Mutant[] = names.map((flaw) => ({
  defect: `the HTTP server ${flaw}`,
  caughtBy: flaws[flaw],
  flaw,
}))
