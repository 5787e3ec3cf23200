import { checks } from '@storeport/conformance'
import { describe, expect, it } from 'vitest'
import { defects, unseenDefects } from './defects.ts'
import { tryDefect } from './try-defect.ts'

const layers = new Map(checks.map(({ id, layer }) => [id, layer]))

describe.each([
  ['wire', defects],
  ['shop', unseenDefects],
])('the layer %s', (layer, table) => {
  it.each(table)('sees a mount that $defect: $caughtBy', async (defect) => {
    expect(layers.get(defect.caughtBy)).toBe(layer)
    const [result] = await tryDefect(defect, { only: [defect.caughtBy] })
    expect(result?.outcome, result?.reason).toBe('failed')
  })
})
