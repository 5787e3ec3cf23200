import { seedProfile } from '../../src/index.ts'
import { expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { recordedTerminal } from './recorded-terminal.ts'
import { apiKey, shopListener, startServer } from './start-server.ts'

it('a run that is interrupted tells what it has changed by then', async () => {
  const interrupt = new AbortController()
  const shop = shopListener()
  let delays = 0
  const url = await startServer((req, res) => {
    // One that finds out whether it is offered, one that delays, and one more.
    if (req.url?.endsWith('/delay') === true && ++delays === 3) interrupt.abort()
    shop(req, res)
  })
  const terminal = recordedTerminal()
  const words = [url, '--only', 'delaySubscription.moves-the-date,delaySubscription.accepts-the-same-date']
  expect(await run(words, { STOREPORT_API_KEY: apiKey }, terminal, interrupt.signal)).toBe(2)
  const { neighbour = '' } = seedProfile.customers
  expect(terminal.written.out).toContain('it was interrupted')
  expect(terminal.written.out).toContain(`Left changed: ${neighbour}: the current subscription is `)
})
