import { expect, it } from 'vitest'
import { shopDefects } from './defects.ts'
import { runWithDefect } from './run-with-defect.ts'

// If this test fails, the wire layer detects the defect. In that case, move the defect to `wireDefects`.
it.each(shopDefects)('wire-layer checks pass for a mount that $defect', async (defect) => {
  const failed = (await runWithDefect(defect, { layer: 'wire' })).filter(({ outcome }) => outcome === 'failed')
  expect(failed).toEqual([])
})
