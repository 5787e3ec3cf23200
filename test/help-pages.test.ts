import { readdirSync, readFileSync } from 'node:fs'
import { errors } from '@storeport/core'
import { expect, it } from 'vitest'

const errorPage = readFileSync('docs/guide/errors.md', 'utf8')
const troubleshooting = readFileSync('docs/guide/troubleshooting.md', 'utf8')

const codes = Object.keys(errors).toSorted()
const sections = new Map(
  errorPage
    .split(/^### /m)
    .slice(1)
    .map((section): [string, string] => {
      const [code = '', ...text] = section.split('\n\n')
      return [code, text.join('\n\n')]
    }),
)

it('has one section for each error code', () => expect([...sections.keys()].toSorted()).toEqual(codes))

it.each(Object.entries(errors))('shows the status, the message and a cause of %s', (code, { status, message }) => {
  const section = sections.get(code) ?? ''
  expect(section.split('\n')[0]).toBe(`${status}: "${message}"`)
  expect(section).toMatch(/^- \S/m)
})

/** Lines of the packages' sources, with escapes and concatenated strings as they are printed. */
const lines = readdirSync('packages')
  .flatMap((name) => {
    const files = readdirSync(`packages/${name}/src`, { recursive: true, encoding: 'utf8' })
    return files.filter((file) => file.endsWith('.ts')).map((file) => `packages/${name}/src/${file}`)
  })
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .replaceAll(/' \+\s+'/g, '')
      .replaceAll("\\'", "'")
      .split('\n'),
  )

const headings = [...troubleshooting.matchAll(/^### `(.+)`$/gm)].map(([, heading = '']) => heading)

it('finds the messages on the troubleshooting page', () => expect(headings.length).toBeGreaterThan(40))

it.each(headings)('shows a message of the source: %s', (heading) => {
  const parts = heading.split('…').map((part) => part.trim())
  expect(lines.some((line) => hasInOrder(line, parts))).toBe(true)
})

/** Whether a text contains all parts, one after another. The rest of the text is the value of a variable. */
function hasInOrder(text: string, parts: readonly string[]): boolean {
  let start = 0
  for (const part of parts) {
    const found = text.indexOf(part, start)
    if (found === -1) return false
    start = found + part.length
  }
  return true
}
