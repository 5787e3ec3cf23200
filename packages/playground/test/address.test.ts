import { describe, expect, it } from 'vitest'
import { hideToken, readView, type View, writeView } from '../page/values/address.ts'

const first = 'first@example.com'
const { view: firstView } = readView('', first)

describe('the view in the URL', () => {
  it.each<[string, Partial<View>]>([
    ['', {}],
    ['#as=a%2Bb%26c@example.com&email=comeback', { email: 'a+b&c@example.com', message: 'comeback' }],
    ['#panel=inspector&tab=shop', { panel: 'inspector', tab: 'shop' }],
    ['#widget=swap.item%201', { widget: 'swap.item 1' }],
  ])('is read from and written to the fragment %j', (hash, change) => {
    const view = { ...firstView, ...change }
    expect(readView(hash, first)).toEqual({ view, invalid: [] })
    expect(writeView(view, first)).toBe(hash)
  })

  it.each([
    ['#as=nobody', ['customer']],
    [`#as=${'a'.repeat(250)}@example.com`, ['customer']],
    ['#as=&email=', ['customer', 'message']],
    ['#panel=attic&tab=none&there', []],
    ['#email', ['message']],
  ])('reports the invalid parts of %j and returns the default view', (hash, invalid) => {
    expect(readView(hash, first)).toEqual({ view: firstView, invalid })
  })

  it('replaces a lone surrogate with U+FFFD', () => {
    expect(readView(writeView({ ...firstView, widget: '\ud800' }, first), first).view.widget).toBe('\ufffd')
  })
})

it('removes only the token from a URL', () => {
  const url = 'https://shop.example/play/?a=1&tok%65n=b&token&tokens=2#token=a'
  expect(hideToken(url)).toBe('https://shop.example/play/?a=1&tokens=2#token=a')
})
