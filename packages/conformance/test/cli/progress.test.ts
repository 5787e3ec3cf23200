import pc from 'picocolors'
import { expect, it } from 'vitest'
import { createProgress } from '../../src/cli/terminal.ts'
import { checks, collectReport, runChecks, sendTo } from '../../src/index.ts'
import { apiKey, createShop } from '../shop.ts'
import { recordedTerminal } from './command.ts'

const url = 'https://shop.example/integration'

/** Returns the progress output of two checks, each with a pause and a warning. */
async function progressOf(isWatched: boolean): Promise<string> {
  const terminal = recordedTerminal(isWatched)
  const progress = createProgress(url, terminal, pc.createColors(false))
  const shop = createShop()
  const send = sendTo(async (request) => {
    const response = await shop(request)
    return new Response(response.body, {
      status: response.status,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
    })
  })
  const { results } = await collectReport(
    runChecks({ send, apiKey, only: ['responses.are-not-sniffed', 'responses.are-not-stored'] }),
  )
  progress.startDiscovery()
  for (const [index, result] of results.entries()) {
    progress.show({ type: 'check', check: result.check, index, total: results.length })
    progress.show({ type: 'wait', seconds: 7 })
    progress.show({ type: 'result', result })
  }
  progress.clear()
  return terminal.written.err
}

it('overwrites one line in a terminal and prints warnings above the line', async () => {
  const text = await progressOf(true)
  const lines = text.split('\n')
  expect(lines.at(-1)).toBe('\r\u001b[2K')
  for (const line of text.split(/[\n\r]/)) expect(line.length).toBeLessThanOrEqual(100)
  expect(lines[0]).toContain(`${url}: detecting endpoints`)
  expect(lines[0]).toContain("the shop's rate limit requires a pause of 7 s")
  expect(lines[0]?.endsWith('\r\u001b[2K  ! responses.are-not-stored  HEADER-2')).toBe(true)
  expect(lines[1]).toContain('━━━━━━━━━━━━┄┄┄┄┄┄┄┄┄┄┄┄  2/2  1 warned')
})

it('prints plain lines if the output is not a terminal', async () => {
  expect(await progressOf(false)).toBe(
    [
      `${url}: 2 checks …`,
      "the shop's rate limit requires a pause of 7 s",
      'warning  responses.are-not-stored  HEADER-2',
      "the shop's rate limit requires a pause of 7 s",
      'warning  responses.are-not-sniffed  HEADER-3',
      '',
    ].join('\n'),
  )
})

it.each([true, false])('announces possible pauses before the first check (terminal: %s)', (isWatched) => {
  const terminal = recordedTerminal(isWatched)
  const progress = createProgress(url, terminal, pc.createColors(false))
  progress.show({ type: 'start', offered: [], checks: [], waits: false })
  expect(terminal.written.err).toBe('')
  progress.show({ type: 'start', offered: [], checks: [], waits: true })
  expect(terminal.written.err).toContain('If the shop has a rate limit, the run pauses for up to 60 s at a time.\n')
})

it('fits each line within the width of a narrow terminal', () => {
  const terminal = { ...recordedTerminal(true), columns: () => 50 }
  const { written } = terminal
  const progress = createProgress(`https://${'long.'.repeat(20)}example`, terminal, pc.createColors(false))
  progress.startDiscovery()
  for (const [index, check] of checks.entries()) {
    progress.show({ type: 'check', check, index, total: checks.length })
  }
  for (const line of written.err.split('\r\u001b[2K')) expect(line.length).toBeLessThan(50)
})
