/// <reference types="vite/types/importMeta.d.ts" />
import { readFileSync } from 'node:fs'
import { type CheckResult, checks, collectReport, runChecks, seedProfile } from '@storeport/conformance'
import { clock, keys, type Mutant, start } from './mutant.ts'

const modules = import.meta.glob<{ readonly mutants?: readonly Mutant[] }>(
  ['./*.ts', './cases/*.ts', './requests/*.ts', '!./find-mutant.ts', '!./*.test.ts'],
  { eager: true },
)

/** All mutants with the names of their files. */
export const mutants: readonly { readonly file: string; readonly mutant: Mutant; readonly defect: string }[] =
  Object.entries(modules).flatMap(([file, module]) =>
    (module.mutants ?? []).map((mutant) => ({ file, mutant, defect: mutant.defect })),
  )

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

/** Runs the checks in `only` on a new shop, with or without a defect, as if the date were `today` (`YYYY-MM-DD`). */
export async function runChecksOn(
  today: string,
  shop: Partial<Mutant>,
  only: readonly string[],
): Promise<readonly CheckResult[]> {
  const { profile = seedProfile, flaw } = shop
  const run = runChecks({
    send: start({ ...shop, today }),
    apiKey: keys.first,
    secondApiKey: keys.second,
    mode: 'stress',
    only,
    profile: { ...profile, today },
    disposable: true,
    clock,
    // Limits the exploration by its number of sequences, because a busy machine runs fewer sequences in 5 s.
    ...(only.includes('explore.follows-the-model') && { explore: { seed: 1, timeMs: 60_000 } }),
    // Limits the wait, because some flawed servers never respond.
    ...(flaw !== undefined && { timeoutMs: 1500 }),
  })
  return (await collectReport(run)).results
}
