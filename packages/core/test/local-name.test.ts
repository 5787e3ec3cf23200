import { expect, it } from 'vitest'
import { localName } from '../src/retries/local-name.ts'

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

it('has nothing of the text in it', () => {
  const name = localName('live someone@shop.example')
  expect(name).toHaveLength(8)
  expect(name).not.toMatch(/[a-z@.]{3}/)
})
