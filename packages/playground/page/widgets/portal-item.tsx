import { buttonLabel } from '@storeport/core'
import type { SubscriptionItem } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { Picture } from '../parts/picture.tsx'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** One item of the subscription; without `onSwap` it has no button for that. */
export function PortalItem(props: {
  item: SubscriptionItem
  changed: 'odd' | 'even' | undefined
  onSwap: (() => void) | null
}) {
  const { digits, sayMoney, widgets } = useShop()
  const { item, changed, onSwap } = props
  const price = toMinor(item.price, digits)
  return (
    <li className="portal-item" tabIndex={-1} data-changed={changed}>
      <Picture images={item.images} title={item.title} />
      <h4>{item.title}</h4>
      <p className="amount">{sayMoney(price * item.quantity)}</p>
      {item.description !== undefined && <p className="portal-item-about soft small">{item.description}</p>}
      <div className="portal-item-foot">
        <p className="soft small">
          <span className="unseen">{texts.portal.quantity(item.quantity, sayMoney(price))}</span>
          <span aria-hidden="true">
            {item.quantity} × {sayMoney(price)}
          </span>
        </p>
        {widgets.portal.swapButton && onSwap !== null && (
          <button type="button" className="link-button" aria-label={texts.portal.swapItem(item.title)} onClick={onSwap}>
            {buttonLabel('swapButton')}
          </button>
        )}
      </div>
    </li>
  )
}
