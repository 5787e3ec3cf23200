import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideKey } from '../src/hide-key.ts'

describe('a key', () => {
  it('is removed wherever it occurs, as it is or encoded', () => {
    const visible = fc.string({
      minLength: 16,
      maxLength: 40,
      unit: fc.integer({ min: 33, max: 126 }).map(String.fromCharCode),
    })
    fc.assert(
      fc.property(visible, (key) => {
        const shown = hideKey(`a${key}b ${JSON.stringify({ key })} ?k=${encodeURIComponent(key)}`, key)
        expect(shown).toBe('a<key>b {"key":"<key>"} ?k=<key>')
      }),
    )
  })

  it('that is short does not tear words apart', () => {
    expect(hideKey('{"id":"test_12345","key":"test"} test-mode a/test', 'test')).toBe(
      '{"id":"test_12345","key":"<key>"} test-mode a/<key>',
    )
  })

  it('that is empty takes nothing out', () => {
    expect(hideKey('text', '')).toBe('text')
  })
})
