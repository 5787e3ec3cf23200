import { expect, it } from 'vitest'
import { seedProfile } from '../../src/index.ts'
import { command, startShop } from './command.ts'

const { subscribed = '', cancelled = '', otherCustomer = '' } = seedProfile.customers

it(
  'a shop is READY by what it tells of three customers, and a second run has nothing to fix',
  { timeout: 180_000 },
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
    // What is sent once a day, or comes back once, is used up then.
    expect(codes).toEqual([0, 3])
  },
)
