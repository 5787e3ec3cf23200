import type { Mutant } from '../mutant.ts'
import { flaws } from '../over-sockets/flaw.ts'

export const mutants: readonly Mutant[] = flaws.map((flaw) => ({ defect: `the HTTP server ${flaw}`, flaw }))
