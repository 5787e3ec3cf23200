import { expect, it } from 'vitest'
import { createProgress } from '../../src/cli/terminal.ts'
import { runOn, shopThat } from '../shop.ts'
import { recordedTerminal } from './command.ts'

const url = 'https://shop.example/integration'

it('prints possible pauses, the number of checks, each pause and each finding', async () => {
  const terminal = recordedTerminal()
  const show = createProgress(url, terminal)
  const send = shopThat((response) => (response.headers.delete('X-Content-Type-Options'), response))
  const { results } = await runOn({ send, only: ['responses.are-not-sniffed'] })
  for (const waits of [false, true]) show({ type: 'start', offered: [], checks: [], waits })
  for (const [index, result] of results.entries()) {
    show({ type: 'check', check: result.check, index, total: results.length })
    show({ type: 'wait', seconds: 7 })
    show({ type: 'result', result })
  }
  expect(terminal.written.err.split('\n')).toEqual([
    'If the shop has a rate limit, the run pauses for up to 60 s at a time.',
    `${url}: 1 check …`,
    "the shop's rate limit requires a pause of 7 s",
    'warning  responses.are-not-sniffed  HEADER-3',
    '',
  ])
})
