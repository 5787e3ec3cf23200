import { expect, it } from 'vitest'
import { createProgress } from '../../src/cli/terminal.ts'
import { runOn, shopThat } from '../shop.ts'
import { recordedTerminal } from './command.ts'

const url = 'https://shop.example/integration'

it('prints the number of checks, each pause and each finding', async () => {
  const terminal = recordedTerminal()
  const show = createProgress(url, terminal)
  const send = shopThat((response) => (response.headers.delete('X-Content-Type-Options'), response))
  const { results } = await runOn({ send, only: ['responses.are-not-sniffed'] })
  for (const [index, result] of results.entries()) {
    show({ type: 'check', check: result.check, index, total: results.length })
    show({ type: 'wait', seconds: 7 })
    show({ type: 'result', result })
  }
  expect(terminal.written.err.split('\n')).toEqual([
    `${url}: 1 check …`,
    "the shop's rate limit requires a pause of 7 s",
    'warning  responses.are-not-sniffed  HEADER-3',
    '',
  ])
})

it('announces possible pauses before the first check', () => {
  const terminal = recordedTerminal()
  const show = createProgress(url, terminal)
  show({ type: 'start', offered: [], checks: [], waits: false })
  expect(terminal.written.err).toBe('')
  show({ type: 'start', offered: [], checks: [], waits: true })
  expect(terminal.written.err).toBe('If the shop has a rate limit, the run pauses for up to 60 s at a time.\n')
})
