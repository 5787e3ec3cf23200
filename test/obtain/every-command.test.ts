import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCommands } from './read-commands.ts'
import { rowsWithoutCommand, whoTries } from './who-tries.ts'

const commands = readCommands()

it('the documentation has commands', () => expect(commands.length).toBeGreaterThan(80))

it('somebody tries every command of README and guides, or there is a reason', () => {
  const untried = commands.filter((one) => whoTries(one) === undefined)
  expect(untried).toEqual([])
})

it('every file that is said to try one exists', () => {
  const files = commands.flatMap((one) => {
    const trier = whoTries(one)
    return typeof trier === 'object' && 'file' in trier ? [trier.file] : []
  })
  expect([...new Set(files)].filter((file) => !existsSync(file))).toEqual([])
})

it('no row is left over', () => expect(rowsWithoutCommand()).toEqual([]))
