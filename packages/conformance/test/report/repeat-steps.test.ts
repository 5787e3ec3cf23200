import { expect, it } from 'vitest'
import { sendTo } from '../../src/index.ts'
import { createReplayingShop, createShop, reportOf } from '../shop.ts'

/** Creates a shop without protection against repeats. It handles the first addition during the second. */
function createPairingShop() {
  const shop = createShop({ retries: false })
  let release: (() => void) | undefined
  return async (request: Request) => {
    if ((await request.clone().text()).includes('"quantity"')) {
      if (release === undefined) await new Promise<void>((resolve) => (release = resolve))
      else release()
    }
    return shop(request)
  }
}

const add = 'add-product test_54321'

it.each([
  ['a pause', 'retries.count-once-within-the-window', createShop({ retries: false }), [add, 'sleep 2', add]],
  ['concurrent requests', 'addProduct.counts-each-click-once', createPairingShop(), [`${add} &`, add, 'subscription']],
  [
    'a change between two requests',
    'retries.take-effect-again-after-another-change',
    createReplayingShop(),
    [add, 'delay', add, 'subscription'],
  ],
])('prints the requests of a repeat: %s', async (_what, check, shop, expected) => {
  const { groups } = await reportOf({ send: sendTo(shop), only: [check] })
  const [finding] = groups.flatMap(({ results }) => results.flatMap((result) => result.finding ?? []))
  const lines = finding?.curl?.split('\n').map((line) => {
    const [, path] = /^curl -i '[^']*?\/([\w-]+)[?']/.exec(line) ?? []
    const [, product = ''] = /"product_id":"(\w+)"/.exec(line) ?? []
    return path === undefined ? line : `${path} ${product}${line.endsWith(' &') ? ' &' : ''}`.trimEnd()
  })
  expect(lines).toEqual(expected)
})
