import { toMinor } from '@storeport/rules'
import type { InsideOrder } from '../../src/protocol.ts'
import { sayDayFrom } from '../days.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** An order as the merchant has it. */
export function OrderReceipt({ order, mark }: { order: InsideOrder; mark: 'fresh' | 'touched' | null }) {
  const { config, digits, sayMoney } = useShop()
  const money = (amount: number) => (amount < 0 ? '−' : '') + sayMoney(toMinor(Math.abs(amount), digits))
  const sums = [
    [texts.inside.discount, -order.discount],
    [texts.inside.shipping, order.shipping],
    [texts.inside.tax, order.tax],
  ] as const
  // Where nothing comes on top, what the items cost is the total.
  const shown = sums.filter(([, amount]) => amount !== 0)
  const rows = shown.length === 0 ? [] : [[texts.inside.items, order.items] as const, ...shown]
  return (
    <li className={mark === null ? 'receipt' : 'receipt receipt-marked'} data-order={order.id}>
      <div className="receipt-head">
        <p className="receipt-who">
          {order.email}
          {mark !== null && <span className="status status-good">{texts.inside[mark]}</span>}
        </p>
        <p className="soft small">
          {sayDayFrom(config.today, order.placedOn)} · {texts.inside.kinds[order.kind]} ·{' '}
          {texts.inside.statuses[order.status]}
        </p>
      </div>
      <ul className="receipt-lines">
        {order.lines.map((line, index) => (
          <li key={index}>
            <span>
              {line.quantity} × {line.title}
              {line.oneTime && <span className="soft"> ({texts.inside.oneTime})</span>}
            </span>
            <span>{money(line.price * line.quantity)}</span>
          </li>
        ))}
      </ul>
      <dl className="receipt-sums">
        {rows.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
        <div className="receipt-total">
          <dt>{texts.inside.total}</dt>
          <dd>{money(order.total)}</dd>
        </div>
      </dl>
      <p className="soft receipt-id">{order.id}</p>
    </li>
  )
}
