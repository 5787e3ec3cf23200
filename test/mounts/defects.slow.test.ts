import { expect, it } from 'vitest'
import { unseenDefects } from './defects.ts'
import { tryDefect } from './try-defect.ts'

// Once the wire layer sees one of them, it leaves the list of what that layer cannot see.
it.each(unseenDefects)('the wire layer does not see a mount that $defect', async (defect) => {
  const failed = (await tryDefect(defect, { layer: 'wire' })).filter(({ outcome }) => outcome === 'failed')
  expect(failed).toEqual([])
})
