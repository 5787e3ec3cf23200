import { expect, it } from 'vitest'
import { localNames } from '../src/retries/local-names.ts'

const localName = (text: string) =>
  localNames('live', 'someone@shop.example', 'delaySubscription', { text }).fingerprint

it('is the same for the same text, and another for each of many that hardly differ', () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `live customer.${index}@shop.example`)
  const names = texts.map(localName)
  expect(new Set(names).size).toBe(texts.length)
  expect(texts.map(localName)).toEqual(names)
})

it('tells texts apart by each character, wherever it stands and whatever its size', () => {
  const text = 'live someone@shop.example delaySubscription {"new_date":"2031-01-01"}'
  const changed = Array.from(text, (letter, index) =>
    [1, 0x80, 0x100, 0x8000].map(
      (bit) => text.slice(0, index) + String.fromCharCode(letter.charCodeAt(0) ^ bit) + text.slice(index + 1),
    ),
  ).flat()
  const swapped = Array.from(text.slice(1), (letter, index) => {
    return text.slice(0, index) + letter + text.charAt(index) + text.slice(index + 2)
  }).filter((each) => each !== text)
  const all = [text, '', 'a', 'aa', ...changed, ...new Set(swapped)]
  expect(new Set(all.map(localName)).size).toBe(new Set(all).size)
})

it('takes no two texts one behind the other for two others', () => {
  const one = localNames('live', 'a@b.example', 'sendNow', {})
  const other = localNames('live', 'a@b.examples', 'endNow', {})
  expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(4)
  expect(localNames('live', 'a@b.example', 'swapProduct', {}).customer).toBe(one.customer)
})

it('tells one field from another, a number from its text, and what is left out from what is not', () => {
  const inputs = [
    { a: 'b', c: 'd' },
    { a: 'b' },
    { a: 'd', c: 'b' },
    { a: 1 },
    { a: '1' },
    { c: 1 },
    { a: true },
    { a: [] },
    {},
  ]
  const names = inputs.map((input) => localNames('live', 'a@b.example', 'addProduct', input).fingerprint)
  expect(new Set(names).size).toBe(inputs.length)
  expect(localNames('live', 'a@b.example', 'addProduct', { a: 'b', c: undefined }).fingerprint).toBe(names[1])
  expect(localNames('live', 'a@b.example', 'addProduct', { email: 'A@b.example' }).fingerprint).toBe(names.at(-1))
})

it('has nothing of the text in it', () => {
  for (const name of Object.values(localNames('live', 'someone@shop.example', 'sendNow', {}))) {
    expect(name).toHaveLength(8)
    expect(name).not.toMatch(/[a-z@.]{3}/)
  }
})
