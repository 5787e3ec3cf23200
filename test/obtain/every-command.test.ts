import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCommands } from './read-commands.ts'
import { coverageOf, rowsWithoutCommand } from './command-coverage.ts'

const commands = readCommands()

it('finds the commands in the documentation', () => expect(commands.length).toBeGreaterThan(80))

it('lists a test or the reason for no test for every command in the READMEs and guides', () => {
  const uncovered = commands.filter((command) => coverageOf(command) === undefined)
  expect(uncovered).toEqual([])
})

it('lists only test files that exist', () => {
  const files = commands.flatMap((command) => {
    const coverage = coverageOf(command)
    return typeof coverage === 'object' && 'file' in coverage ? [coverage.file] : []
  })
  expect([...new Set(files)].filter((file) => !existsSync(file))).toEqual([])
})

it('finds a documented command for every row of the coverage table', () => expect(rowsWithoutCommand()).toEqual([]))
