import { type CheckResult, collectReport, runChecks, seedProfile } from '@storeport/conformance'
import { keys, type Mutant, start } from './mutant.ts'

/** Makes some checks on a new shop with a defect, or a correct one, where it is that day (`YYYY-MM-DD`). */
export async function tryOn(
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
    // Some of these servers never answer.
    ...(flaw !== undefined && { timeoutMs: 1500 }),
  })
  return (await collectReport(run)).results
}
