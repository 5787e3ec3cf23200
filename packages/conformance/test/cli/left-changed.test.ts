import { seedProfile } from '../../src/index.ts'
import { expect, it } from 'vitest'
import { command } from './command.ts'
import { shopListener, startServer, startShop } from './start-server.ts'

it('a run that is interrupted tells what it has changed by then', async () => {
  const interrupt = new AbortController()
  const shop = shopListener()
  let delays = 0
  const url = await startServer((req, res) => {
    // One that finds out whether it is offered, one that delays, and one more.
    if (req.url?.endsWith('/delay') === true && ++delays === 3) interrupt.abort()
    shop(req, res)
  })
  const words = [url, '--only', 'delaySubscription.moves-the-date,delaySubscription.accepts-the-same-date']
  const { code, out } = await command(words, { interrupt: interrupt.signal })
  expect(code).toBe(2)
  const { neighbour = '' } = seedProfile.customers
  expect(out).toContain('it was interrupted')
  expect(out).toContain(`Left changed: ${neighbour}: the current subscription is `)
})

it('a run that undoes what it did left nothing changed', async () => {
  const { code, out } = await command([await startShop(), '--only', 'addProduct'])
  expect(code).toBe(0)
  expect(out).not.toContain('Left changed')
})
