import { buttonLabel } from '@storeport/core'
import type { SubscriptionItem } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { Picture } from '../parts/picture.tsx'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** One item of the subscription. */
export function PortalItem({ item, onSwap }: { item: SubscriptionItem; onSwap: () => void }) {
  const { digits, sayMoney, widgets } = useShop()
  const price = toMinor(item.price, digits)
  return (
    <li className="portal-item">
      <Picture images={item.images} title={item.title} />
      <div className="portal-item-text">
        <h4>{item.title}</h4>
        {item.description !== undefined && <p className="soft small">{item.description}</p>}
        <p className="soft small">
          <span className="unseen">{texts.portal.quantity(item.quantity, sayMoney(price))}</span>
          <span aria-hidden="true">
            {item.quantity} × {sayMoney(price)}
          </span>
        </p>
        {widgets.portal.swapButton && (
          <button type="button" className="link-button" aria-label={texts.portal.swapItem(item.title)} onClick={onSwap}>
            {buttonLabel('swapButton')}
          </button>
        )}
      </div>
      <p className="amount">{sayMoney(price * item.quantity)}</p>
    </li>
  )
}
