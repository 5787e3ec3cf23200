import type { ReactNode } from 'react'
import type { DemoOrder, DemoSubscription } from '../../src/protocol.ts'
import { formatRate } from '../values/amounts.ts'
import { formatDayFrom, formatShortDay } from '../values/days.ts'
import { useShop } from '../shop/shop-context.ts'
import { capitalize, keepUnits, plural } from '../texts.ts'
import type { Changes, ShownState } from './use-demo-state.ts'

const causes = { click: 'Last click', twice: 'Last click (sent twice)' } as const

type Mark = 'fresh' | 'touched' | null

/** The merchant's data after each click: subscriptions, orders, discount code uses and action runs. */
export function StatePanel({ state: { shop, changes, problem, look } }: { state: ShownState }) {
  const { config, email: customer, formatMoney } = useShop()
  // Shows the customer's subscriptions first, and then the changed subscriptions of other customers.
  const isOwn = ({ email }: DemoSubscription) => email === customer
  const isChanged = ({ id }: DemoSubscription) => changes?.subscriptions.has(id) === true
  const subscriptions = shop?.subscriptions ?? []
  const shown = [...subscriptions.filter(isOwn), ...subscriptions.filter((one) => !isOwn(one) && isChanged(one))]
  return (
    <>
      <p className="notice medium" role="status">
        {changes === null ? 'The merchant’s data, updated after every click.' : describeChanges(changes)}
      </p>
      {problem !== null && (
        <p className="notice centered" role="alert">
          <span>{problem}</span>
          <button className="link-button" onClick={() => void look('click')}>
            Try again
          </button>
        </p>
      )}
      {shop !== null && (
        <>
          <Section title="Subscriptions" count={shown.length} empty={`${customer} has no subscription.`}>
            {shown.map((one) => (
              <Row key={one.id} mark={isChanged(one) ? 'touched' : null} name={one.email}>
                <p className="soft small">
                  {one.next_billing_date === null
                    ? capitalize(one.status)
                    : `Next billing on ${formatDayFrom(config.today, one.next_billing_date)}`}
                </p>
                <Lines lines={one.lines} />
              </Row>
            ))}
          </Section>
          <Section title="Orders" count={shop.orders.length} empty="No orders yet. Click Send Now in the email.">
            {shop.orders.map((order) => (
              <OrderReceipt key={order.id} order={order} mark={orderMark(order.id, changes)} />
            ))}
          </Section>
          <Section title="Discount code uses" count={shop.discount_uses.length} empty="No discount codes used yet.">
            {shop.discount_uses.map((use, index) => (
              <Row key={use.id} mark={index < (changes?.codeUses ?? 0) ? 'fresh' : null} name={<code>{use.code}</code>}>
                <p className="soft small">{use.email}</p>
                <p className="soft small">
                  {use.kind === 'percentage' ? `−${formatRate(use.percentage / 100)}` : formatMoney(-use.amount_minor)}{' '}
                  · {formatShortDay(config.today, use.used_on)} ·{' '}
                  {use.order_id === null ? 'for the next order' : `in order ${use.order_id}`}
                </p>
              </Row>
            ))}
          </Section>
          <Section title="Action runs" count={shop.actions_run.length} empty="No action runs yet.">
            {shop.actions_run.map(({ action_id, email, run_on }, index) => (
              <Row
                key={index}
                mark={index < (changes?.actionsRun ?? 0) ? 'fresh' : null}
                name={<code>{action_id}</code>}
              >
                <p className="soft small">{email}</p>
                <p className="soft small">{formatShortDay(config.today, run_on)}</p>
              </Row>
            ))}
          </Section>
        </>
      )}
    </>
  )
}

function Section(props: { title: string; count: number; empty: string; children: ReactNode }) {
  return (
    <section aria-label={props.title}>
      <h3 className="section-title">
        {props.title}
        {props.count > 0 && ` (${props.count})`}
      </h3>
      {props.count === 0 ? <p className="soft small">{props.empty}</p> : <ol className="stack">{props.children}</ol>}
    </section>
  )
}

function Row(props: { mark: Mark; name: ReactNode; order?: string; children: ReactNode }) {
  return (
    <li className={props.mark === null ? 'receipt card stack' : 'receipt card stack marked'} data-order={props.order}>
      <p className="between medium">
        {props.name}
        {props.mark !== null && <span className="status good">{props.mark === 'fresh' ? 'New' : 'Changed'}</span>}
      </p>
      {props.children}
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

/** An order as the merchant sees it. */
function OrderReceipt({ order, mark }: { order: DemoOrder; mark: Mark }) {
  const { config, formatMoney } = useShop()
  const sums = [
    ['Discount', -order.discount_minor],
    ['Shipping', order.shipping_minor],
    ['Tax', order.tax_minor],
  ] as const
  // If there are no other amounts, shows only the total, because it equals the sum of the items.
  const shown = sums.filter(([, amount]) => amount !== 0)
  const rows = shown.length === 0 ? [] : [['Items', order.items_minor] as const, ...shown]
  return (
    <Row mark={mark} name={order.email} order={order.id}>
      <p className="soft small">
        {formatDayFrom(config.today, order.placed_on)} · {order.kind === 'one_off' ? 'One-time order' : 'Subscription'}{' '}
        · {order.status}
      </p>
      <Lines lines={order.lines} />
      <dl className="sums ruled">
        {[...rows, ['Total', order.total_minor] as const].map(([name, amount]) => (
          <div key={name} className={name === 'Total' ? 'total' : undefined}>
            <dt>{name}</dt>
            <dd>{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="soft mono">{order.id}</p>
    </Row>
  )
}

function orderMark(id: string, changes: Changes | null): Mark {
  if (changes?.fresh.has(id) === true) return 'fresh'
  return changes?.orders.has(id) === true ? 'touched' : null
}

/** Describes the changes since the last click. */
function describeChanges({ since, ...changes }: NonNullable<ShownState['changes']>): string {
  const parts = [
    changes.fresh.size > 0 && plural(changes.fresh.size, 'new order'),
    changes.orders.size > 0 && `${plural(changes.orders.size, 'order')} changed`,
    changes.subscriptions.size > 0 && `${plural(changes.subscriptions.size, 'subscription')} changed`,
    changes.codeUses > 0 && plural(changes.codeUses, 'code use'),
    changes.actionsRun > 0 && plural(changes.actionsRun, 'action run'),
  ].filter((part) => part !== false)
  return `${causes[since]}: ${parts.length === 0 ? 'no changes' : parts.join(', ')}.`
}
