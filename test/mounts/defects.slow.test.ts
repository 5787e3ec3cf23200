import { expect, it } from 'vitest'
import { shopDefects } from './defects.ts'
import { runWithDefect } from './run-with-defect.ts'

// If this test fails, the wire layer detects the defect: move it to the defects of the wire layer.
it.each(shopDefects)('needs the shop layer to detect a mount that $defect', async (defect) => {
  const failed = (await runWithDefect(defect, { layer: 'wire' })).filter(({ outcome }) => outcome === 'failed')
  expect(failed).toEqual([])
})
