import { expect, it } from 'vitest'
import { seedProfile } from '../../src/index.ts'
import { command, startShop } from './command.ts'

const { subscribed = '', cancelled = '', otherCustomer = '' } = seedProfile.customers

it(
  'exits with READY for the first run, and with INCOMPLETE for a second run on the same data',
  { timeout: 600_000 },
  async () => {
    const url = await startShop()
    const customers = ['--customer', subscribed, '--cancelled', cancelled, '--other-customer', otherCustomer]
    const words = [url, ...customers, '--code', 'TEST10', '--action', 'join_waitlist_product_123', '--stress']
    const codes: number[] = []
    for (let runs = 0; runs < 2; runs++) {
      const { code, out } = await command(words)
      codes.push(code)
      expect(out).not.toMatch(/^ +[✗!] \w+\.\w/m)
    }
    // The first run used up today's order and the cancelled subscriptions, so the second run is INCOMPLETE (exit code 3).
    expect(codes).toEqual([0, 3])
  },
)
