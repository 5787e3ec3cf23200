import type { ReactNode } from 'react'
import type { DemoOrder, DemoSubscription } from '../../src/protocol.ts'
import { usePage } from '../page-context.ts'
import { ReadNotice } from '../parts/notice.tsx'
import { type SumRow, Sums } from '../parts/sums.tsx'
import { useShop } from '../shop/shop-context.ts'
import { capitalize, keepUnits } from '../texts.ts'
import { formatRate } from '../values/amounts.ts'
import { formatDay, formatShortDay } from '../values/days.ts'
import { compareStates, type Mark } from './compare-states.ts'

/** The merchant's data after each click: subscriptions, orders, discount code uses and action runs. */
export function StatePanel() {
  const { config, email: customer, formatMoney } = useShop()
  const { state, calls } = usePage()
  const { data: shop, previous, ...read } = state
  const empty = { orders: [], subscriptions: [], discount_uses: [], actions_run: [] }
  const { markOf, newRuns, said } = compareStates(previous ?? shop ?? empty, shop ?? empty)
  // Shows the customer's subscriptions first, and then the changed subscriptions of other customers.
  const isOther = ({ email }: DemoSubscription) => Number(email !== customer)
  const shown = (shop?.subscriptions ?? [])
    .filter((one) => isOther(one) === 0 || markOf(one))
    .toSorted((one, other) => isOther(one) - isOther(other))
  const day = (date: string) => formatShortDay(config.today, date)
  return (
    <>
      <p className="notice medium" role="status">
        {previous === null
          ? 'The merchant’s data, updated after every click.'
          : `Last click${calls.lastClick.twice ? ' (sent twice)' : ''}: ${said}.`}
      </p>
      <ReadNotice read={read} />
      {shop !== null && (
        <>
          <Section title="Subscriptions" empty={`${customer} has no subscription.`}>
            {shown.map((one) => (
              <Row key={one.id} mark={markOf(one)} name={one.email}>
                <p className="soft small">
                  {one.next_billing_date === null
                    ? capitalize(one.status)
                    : `Next billing on ${formatDay(config.today, one.next_billing_date)}`}
                </p>
                <Lines lines={one.lines} />
              </Row>
            ))}
          </Section>
          <Section title="Orders" empty="No orders yet. Click Send Now in the email.">
            {shop.orders.map((order) => (
              <OrderReceipt key={order.id} order={order} mark={markOf(order)} />
            ))}
          </Section>
          <Section title="Discount code uses" empty="No discount codes used yet.">
            {shop.discount_uses.map((use) => (
              <Row key={use.id} mark={markOf(use)} name={<code>{use.code}</code>}>
                <p className="soft small">{use.email}</p>
                <p className="soft small">
                  {use.kind === 'percentage' ? `−${formatRate(use.percentage / 100)}` : formatMoney(-use.amount_minor)}{' '}
                  · {day(use.used_on)} · {use.order_id === null ? 'for the next order' : `in order ${use.order_id}`}
                </p>
              </Row>
            ))}
          </Section>
          <Section title="Action runs" empty="No action runs yet.">
            {shop.actions_run.map(({ action_id, email, run_on }, index) => (
              <Row key={index} mark={index < newRuns && 'New'} name={<code>{action_id}</code>}>
                <p className="soft small">{email}</p>
                <p className="soft small">{day(run_on)}</p>
              </Row>
            ))}
          </Section>
        </>
      )}
    </>
  )
}

function Section({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  const count = children.length
  return (
    <section aria-label={title}>
      <h3 className="section-title">
        {title}
        {count > 0 && ` (${count})`}
      </h3>
      {count === 0 ? <p className="soft small">{empty}</p> : <ol className="stack">{children}</ol>}
    </section>
  )
}

function Row(props: { mark: Mark; name: ReactNode; order?: string; children: ReactNode }) {
  const { mark, name, order, children } = props
  return (
    <li className={mark ? 'receipt card stack marked' : 'receipt card stack'} data-order={order}>
      <p className="between medium">
        {name}
        {mark && <span className="status good">{mark}</span>}
      </p>
      {children}
    </li>
  )
}

function Lines({ lines }: Pick<DemoOrder, 'lines'>) {
  const { formatMoney } = useShop()
  return (
    <ul>
      {lines.map(({ quantity, title, price_minor, one_time }, index) => (
        <li key={index} className="between amount">
          <span>
            {quantity} × {keepUnits(title)}
            {one_time && <span className="soft"> (one-time)</span>}
          </span>
          <span>{formatMoney(price_minor * quantity)}</span>
        </li>
      ))}
    </ul>
  )
}

/** An order as the merchant sees it. If there are no other amounts, shows only the total. */
function OrderReceipt({ order, mark }: { order: DemoOrder; mark: Mark }) {
  const { config, formatMoney } = useShop()
  const other = { Discount: -order.discount_minor, Shipping: order.shipping_minor, Tax: order.tax_minor }
  const shown = Object.entries(other).filter(([, amount]) => amount !== 0)
  const all = shown.length === 0 ? [] : [['Items', order.items_minor] as const, ...shown]
  const rows = all.map(([label, amount]): SumRow => [label, formatMoney(amount)])
  return (
    <Row mark={mark} name={order.email} order={order.id}>
      <p className="soft small">
        {formatDay(config.today, order.placed_on)} · {order.kind === 'one_off' ? 'One-time order' : 'Subscription'} ·{' '}
        {order.status}
      </p>
      <Lines lines={order.lines} />
      <Sums rows={[...rows, ['Total', formatMoney(order.total_minor), 'strong']]} />
      <p className="soft mono">{order.id}</p>
    </Row>
  )
}
