import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignPositions, findChanged, findRemoved } from '../../src/account/differences.ts'

const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

describe('differences', () => {
  it('finds what is gone', () => {
    expect(findRemoved([a, b, c], [c, { id: 'a' }])).toEqual(['b'])
    expect(findRemoved([a], [])).toEqual(['a'])
  })

  it('takes an element for changed unless it is the same object', () => {
    expect(findChanged([a, b], [a, { id: 'b' }, c])).toEqual([{ id: 'b' }, c])
    expect(findChanged([a], [a])).toEqual([])
  })

  it('keeps places, and gives new elements the next ones', () => {
    const places = new Map([
      ['a', 3],
      ['b', 7],
    ])
    expect(assignPositions([a, b, c], places).map(({ position }) => position)).toEqual([3, 7, 8])
    expect(assignPositions([c, a], places).map(({ position }) => position)).toEqual([1, 3])
  })

  it('gives places that grow, whatever the order is', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))
    fc.assert(
      fc.property(ids, fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 1, max: 20 })), (list, had) => {
        const positions = assignPositions(
          list.map((id) => ({ id })),
          new Map(Object.entries(had)),
        ).map(({ position }) => position)
        expect(positions.every((position, index) => position > (positions[index - 1] ?? 0))).toBe(true)
      }),
    )
  })
})
