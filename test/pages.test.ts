import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const words = (count: number) => `${'Word '.repeat(count).trim()}.`
const short = words(4)

/** Pages with one defect each, and the expected message for the defect. */
const rejected = {
  'a hard word': ['The header is refused.', 'refused => reject'],
  'a hard word in a heading': ['# Sent at once\n', 'at once => immediately'],
  'a hard word in a table': ['| a | b |\n| --- | --- |\n| stored anew | 1 |\n', 'anew => again'],
  'a sentence of 31 words': [`${words(31)} ${short} ${short}`, expect.stringContaining('31 words (at most 30)')],
  'an average of 19 words': [words(19), expect.stringContaining('19.0 words on average (at most 18)')],
} as const

const code = 'Call `refuse()`.\n\n```ts\n// nobody is asked at once\n```\n'
const accepted = {
  'sentences of at most 30 words, and 18 words on average': `${words(30)} ${words(6)}`,
  'hard words in code': code,
}

let messages: ReadonlyMap<string, readonly string[]> = new Map()
const folder = mkdtempSync(join(tmpdir(), 'storeport-pages-'))
beforeAll(() => {
  for (const [name, [page]] of Object.entries(rejected)) writeFileSync(join(folder, `${name}.md`), page)
  for (const [name, page] of Object.entries(accepted)) writeFileSync(join(folder, `${name}.md`), page)
  const { stdout } = spawnSync(
    resolve('node_modules/.bin/textlint'),
    ['--config', '.textlintrc.json', '--rulesdir', 'scripts/english/pages', '--format', 'json', folder],
    { encoding: 'utf8' },
  )
  const results: readonly Result[] = JSON.parse(stdout)
  messages = new Map(
    results.map(({ filePath, messages: list }) => [basename(filePath, '.md'), list.map(({ message }) => message)]),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Result {
  readonly filePath: string
  readonly messages: readonly { readonly message: string }[]
}

it.each(Object.entries(rejected))('rejects a page with %s', (name, [, message]) => {
  expect(messages.get(name)).toEqual([message])
})

it.each(Object.keys(accepted))('accepts a page with %s', (name) => {
  expect(messages.get(name) ?? []).toEqual([])
})
