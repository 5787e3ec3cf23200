import { expect, it } from 'vitest'
import { localNames } from '../src/retries/local-names.ts'

const localName = (text: string) => localNames('live someone@shop.example', text)[1]

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
  const both = [...localNames('live a@b.example', 'sendNow'), ...localNames('live a@b.examples', 'endNow')]
  expect(new Set(both).size).toBe(4)
  expect(localNames('live a@b.example', 'swapProduct')[0]).toBe(both[0])
})

it('has nothing of the text in it', () => {
  for (const name of localNames('live someone@shop.example', 'sendNow {}')) {
    expect(name).toHaveLength(8)
    expect(name).not.toMatch(/[a-z@.]{3}/)
  }
})
