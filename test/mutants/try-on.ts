import { type CheckResult, collectReport, runChecks, seedProfile } from '@storeport/conformance'
import { clock, keys, type Mutant, start } from './mutant.ts'

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
