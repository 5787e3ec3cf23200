import { checks } from '@storeport/conformance'
import { describe, expect, it } from 'vitest'
import { shopDefects, wireDefects } from './defects.ts'
import { runWithDefect } from './run-with-defect.ts'

const layers = new Map(checks.map(({ id, layer }) => [id, layer]))

describe.each([
  ['wire', wireDefects],
  ['shop', shopDefects],
])('%s layer', (layer, table) => {
  it.each(table)('detects a mount that $defect: $caughtBy', async (defect) => {
    expect(layers.get(defect.caughtBy)).toBe(layer)
    const [result] = await runWithDefect(defect, { only: [defect.caughtBy] })
    expect(result?.outcome, result?.reason).toBe('failed')
  })
})
