import { callShop } from './call-shop.ts'
import type { CallRequest, CallTwiceAnswer, DoubleClick } from './protocol.ts'
import type { ShopConnection } from './shop-connection.ts'

/** Makes one call as a click that comes twice; throws StoreError `invalid_request` as callShop does. */
export async function callTwice(
  shop: ShopConnection,
  call: CallRequest,
  how: DoubleClick,
  testMode: boolean,
): Promise<CallTwiceAnswer> {
  const send = () => callShop(shop, call, testMode)
  if (how === 'at-once') return { exchanges: await Promise.all([send(), send()]) }
  const first = await send()
  return { exchanges: [{ ...first, lost: true }, await send()] }
}
