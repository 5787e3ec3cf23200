import { checks } from '@storeport/conformance'
import { expect, it } from 'vitest'
import { defects } from './defects.ts'
import { tryDefect } from './try-defect.ts'

const layers = new Map(checks.map(({ id, layer }) => [id, layer]))
const table = defects.map((defect) => {
  const { caughtBy, unseen } = defect
  return { ...defect, by: caughtBy ?? unseen?.caughtBy ?? '', layer: caughtBy === undefined ? 'shop' : 'wire' }
})

it.each(table)('a mount that $defect is seen by $by', async (defect) => {
  expect(layers.get(defect.by)).toBe(defect.layer)
  const [result] = await tryDefect(defect, { only: [defect.by] })
  expect(result?.outcome, result?.reason).toBe('failed')
})
