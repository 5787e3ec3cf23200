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
