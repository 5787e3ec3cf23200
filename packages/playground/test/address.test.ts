import { describe, expect, it } from 'vitest'
import { firstView, hideToken, readView, writeView, type View } from '../page/values/address.ts'

const first = firstView('first@example.com')

describe('the view in the URL', () => {
  it.each<[string, Partial<View>]>([
    ['', {}],
    ['#as=other@example.com', { email: 'other@example.com' }],
    ['#as=a%2Bb%26c@example.com&email=comeback', { email: 'a+b&c@example.com', message: 'comeback' }],
    ['#panel=wire&tab=shop&call=sendNow', { panel: 'wire', tab: 'shop', call: 'sendNow' }],
    ['#widget=swap.item%201', { widget: 'swap.item 1' }],
  ])('is read from and written to the fragment %j', (hash, change) => {
    const view = { ...first, ...change }
    expect(readView(hash, first)).toEqual({ view, invalid: [] })
    expect(writeView('', view, first)).toBe(hash)
  })

  it('preserves other parameters when it is written', () => {
    expect(writeView('#there&x=1', first, first)).toBe('#there&x=1')
    expect(writeView('#email=shelf&there', { ...first, message: 'choices' }, first)).toBe('#email=choices&there')
    expect(writeView('#email=shelf', first, first)).toBe('')
  })

  it.each([
    ['#as=nobody', ['customer']],
    [`#as=${'a'.repeat(250)}@example.com`, ['customer']],
    ['#email=unheard-of', ['message']],
    ['#as=&email=', ['customer', 'message']],
    ['#panel=attic&tab=none&call=launchRocket', []],
    ['#email', ['message']],
  ])('reports the invalid parts of %j and returns the first view', (hash, invalid) => {
    expect(readView(hash, first)).toEqual({ view: first, invalid })
  })

  it('replaces a lone surrogate with U+FFFD', () => {
    const hash = writeView('', { ...first, widget: '\ud800' }, first)
    expect(readView(hash, first).view.widget).toBe('\ufffd')
  })
})

it.each([
  ['/', '?token=a', '', '/'],
  ['/', '?token=a&mail=box%20one&x', '#wire', '/?mail=box%20one&x#wire'],
  ['/play/', '?a=1&tok%65n=b&token&tokens=2', '', '/play/?a=1&tokens=2'],
  ['/', '', '#token=a', '/#token=a'],
])('removes the token from the URL %s%s%s and returns %s', (pathname, search, hash, shown) => {
  expect(hideToken({ pathname, search, hash })).toBe(shown)
})
