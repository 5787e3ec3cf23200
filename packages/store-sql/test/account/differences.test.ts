import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changed, gone, placed } from '../../src/account/differences.ts'

const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

describe('differences', () => {
  it('finds what is gone', () => {
    expect(gone([a, b, c], [c, { id: 'a' }])).toEqual(['b'])
    expect(gone([a], [])).toEqual(['a'])
  })

  it('takes an element for changed unless it is the same object', () => {
    expect(changed([a, b], [a, { id: 'b' }, c])).toEqual([{ id: 'b' }, c])
    expect(changed([a], [a])).toEqual([])
  })

  it('keeps places, and gives new elements the next ones', () => {
    const places = new Map([
      ['a', 3],
      ['b', 7],
    ])
    expect(placed([a, b, c], places).map(({ position }) => position)).toEqual([3, 7, 8])
    expect(placed([c, a], places).map(({ position }) => position)).toEqual([1, 3])
  })

  it('gives places that grow, whatever the order is', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))
    fc.assert(
      fc.property(ids, fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 1, max: 20 })), (list, had) => {
        const positions = placed(
          list.map((id) => ({ id })),
          new Map(Object.entries(had)),
        ).map(({ position }) => position)
        expect(positions.every((position, index) => position > (positions[index - 1] ?? 0))).toBe(true)
      }),
    )
  })
})
