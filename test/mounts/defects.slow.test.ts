import { expect, it } from 'vitest'
import { defects } from './defects.ts'
import { tryDefect } from './try-defect.ts'

const unseen = defects.filter((defect) => defect.unseen !== undefined)

// Once the wire layer sees one of them, it leaves the list of what that layer cannot see.
it.each(unseen)('the wire layer does not see a mount that $defect', async (defect) => {
  const failed = (await tryDefect(defect, { layer: 'wire' })).filter(({ outcome }) => outcome === 'failed')
  expect(failed).toEqual([])
})
