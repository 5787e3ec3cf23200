import type { Send } from '@storeport/conformance'
import { collectReport, runChecks } from '@storeport/conformance'
import { expect, it } from 'vitest'
import { keys, start } from './mutant.ts'

/** What a shop without a defect may skip when it was used before: everything else must pass, however often it is tried. */
const runsOnOneShop = 4

it('the checks pass on a correct shop 20 times in a row, new and used', { timeout: 120_000 }, async () => {
  let send: Send = start()
  for (let run = 0; run < 20; run++) {
    if (run % runsOnOneShop === 0) send = start()
    const { results } = await collectReport(
      runChecks({ send, apiKey: keys.first, secondApiKey: keys.second, mode: 'stress' }),
    )
    const failed = results.flatMap(({ failure }) => failure?.message ?? [])
    expect(failed, `run ${run + 1}`).toEqual([])
    // On a new shop only what cannot be seen in one process, or was used up by the checks before, is skipped.
    const skipped = results.filter(({ outcome }) => outcome === 'skipped').length
    expect(skipped, `run ${run + 1}`).toBeLessThanOrEqual(run % runsOnOneShop === 0 ? 4 : 20)
  }
})
