import type { EstimatedTotals } from '../amounts.ts'
import { sayRate } from '../say-money.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** What the next order costs; what the shop does not say is left out. */
export function OrderTotals({ totals, taxRate }: { totals: EstimatedTotals; taxRate: number }) {
  const { sayMoney } = useShop()
  const words = texts.portal.totals
  return (
    <dl className="totals">
      <Row label={words.items} amount={sayMoney(totals.items)} />
      {totals.discount > 0 && <Row label={words.discount} amount={`−${sayMoney(totals.discount)}`} lowered />}
      {totals.shipping !== null && (
        <Row label={words.shipping} amount={totals.shipping === 0 ? words.free : sayMoney(totals.shipping)} />
      )}
      {taxRate > 0 && <Row label={words.tax(sayRate(taxRate))} amount={sayMoney(totals.tax)} />}
      <Row label={words.total} amount={sayMoney(totals.total)} total />
    </dl>
  )
}

function Row(props: { label: string; amount: string; lowered?: boolean; total?: boolean }) {
  const kind = props.total === true ? 'total' : props.lowered === true ? 'lowered' : undefined
  return (
    <div className={kind}>
      <dt>{props.label}</dt>
      <dd>{props.amount}</dd>
    </div>
  )
}
