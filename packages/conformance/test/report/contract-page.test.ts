import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { checks, requirements, toContractPage } from '../../src/index.ts'

const page = toContractPage()
const rows = page.split('\n').filter((line) => /^\| [A-Z]+-\d+ \|/.test(line))

it('tells every requirement once', () => {
  expect(rows.map((line) => line.split(' ')[1]).toSorted()).toEqual(Object.keys(requirements).toSorted())
  for (const line of rows) expect(line.match(/(?<!\\)\|/g), line).toHaveLength(6)
})

it('tells every check, by its id or by what it is called for each endpoint', () => {
  for (const { id } of checks)
    expect([`\`${id}\``, `\`*.${id.split('.')[1]}\``].some((text) => page.includes(text))).toBe(true)
  for (const line of rows) expect(line, 'a requirement without a check').toMatch(/`[\w*]+\.[\w-]+`/)
})

it('links what is specified to its section of the API reference, and nothing else', async () => {
  const reference = await readFile('docs/guide/api.md', 'utf8')
  const anchors = [...reference.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  )
  for (const line of rows) {
    const section = /\]\(api\.md#([\w-]+)\)/.exec(line)?.[1]
    if (line.includes('| must |')) expect(anchors, line).toContain(section)
    else expect(section, line).toBeUndefined()
  }
})
