import { toMinor } from '@storeport/rules'
import type { ReactNode } from 'react'
import type { DemoOrder } from '../../src/protocol.ts'
import { formatDayFrom, formatShortDay } from '../values/days.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts/texts.ts'
import type { Changes, ShownState } from './use-demo-state.ts'

/** The merchant's data after each click: orders, discount code uses and action runs. */
export function StatePanel({ state: { shop, changes, problem, look } }: { state: ShownState }) {
  const { config, digits, formatMoney } = useShop()
  const words = texts.shopState
  return (
    <>
      <p className="notice medium" role="status">
        {changes === null ? words.intro : toSummary(changes)}
      </p>
      {problem !== null && (
        <p className="notice quiet" role="alert">
          <span>{problem}</span>
          <button className="link-button" onClick={() => void look('click')}>
            {texts.retry}
          </button>
        </p>
      )}
      {shop !== null && (
        <>
          <Section title={words.orders} count={shop.orders.length} empty={words.noOrders}>
            {shop.orders.map((order) => (
              <OrderReceipt key={order.id} order={order} mark={changeMark(order.id, changes)} />
            ))}
          </Section>
          <Section title={words.codeUses} count={shop.codeUses.length} empty={words.noCodeUses}>
            {shop.codeUses.map(({ code, email, usedOn, amount, orderId }, index) => (
              <Row key={index} mark={index < (changes?.codeUses ?? 0) ? 'fresh' : null} name={<code>{code}</code>}>
                <p className="soft small">{email}</p>
                <p className="soft small">
                  −{formatMoney(toMinor(amount, digits))} · {formatShortDay(config.today, usedOn)} ·{' '}
                  {orderId === null ? words.waits : words.inOrder(orderId)}
                </p>
              </Row>
            ))}
          </Section>
          <Section title={words.actionsRun} count={shop.actionsRun.length} empty={words.noActions}>
            {shop.actionsRun.map(({ actionId, email, runOn }, index) => (
              <Row
                key={index}
                mark={index < (changes?.actionsRun ?? 0) ? 'fresh' : null}
                name={<code>{actionId}</code>}
              >
                <p className="soft small">{email}</p>
                <p className="soft small">{formatShortDay(config.today, runOn)}</p>
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

function Row(props: { mark: 'fresh' | 'touched' | null; name: ReactNode; order?: string; children: ReactNode }) {
  return (
    <li className={props.mark === null ? 'receipt card' : 'receipt card marked'} data-order={props.order}>
      <p className="between medium">
        {props.name}
        {props.mark !== null && <span className="status good">{texts.shopState[props.mark]}</span>}
      </p>
      {props.children}
    </li>
  )
}

/** An order as the merchant sees it. */
function OrderReceipt({ order, mark }: { order: DemoOrder; mark: 'fresh' | 'touched' | null }) {
  const { config, digits, formatMoney } = useShop()
  const words = texts.shopState
  const money = (amount: number) => (amount < 0 ? '−' : '') + formatMoney(toMinor(Math.abs(amount), digits))
  const sums = [
    [words.discount, -order.discount],
    [words.shipping, order.shipping],
    [words.tax, order.tax],
  ] as const
  // Without other amounts, the sum of the items equals the total, so the page shows only the total.
  const shown = sums.filter(([, amount]) => amount !== 0)
  const rows = shown.length === 0 ? [] : [[words.items, order.items] as const, ...shown]
  return (
    <Row mark={mark} name={order.email} order={order.id}>
      <p className="soft small">
        {formatDayFrom(config.today, order.placedOn)} · {words.kinds[order.kind]} · {words.statuses[order.status]}
      </p>
      <ul>
        {order.lines.map((line, index) => (
          <li key={index} className="between amount">
            <span>
              {line.quantity} × {line.title}
              {line.oneTime && <span className="soft"> ({words.oneTime})</span>}
            </span>
            <span>{money(line.price * line.quantity)}</span>
          </li>
        ))}
      </ul>
      <dl className="sums ruled">
        {rows.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
        <div className="total">
          <dt>{words.total}</dt>
          <dd>{money(order.total)}</dd>
        </div>
      </dl>
      <p className="soft mono">{order.id}</p>
    </Row>
  )
}

function changeMark(id: string, changes: Changes | null): 'fresh' | 'touched' | null {
  if (changes?.newOrders.has(id) === true) return 'fresh'
  return changes?.touchedOrders.has(id) === true ? 'touched' : null
}

/** Describes the changes since the last click, date change or run of the checks. */
function toSummary({
  since,
  newOrders,
  touchedOrders,
  codeUses,
  actionsRun,
}: NonNullable<ShownState['changes']>): string {
  const { changed } = texts.shopState
  const parts = [
    ...(newOrders.size > 0 ? [changed.orders(newOrders.size)] : []),
    ...(touchedOrders.size > 0 ? [changed.touched(touchedOrders.size)] : []),
    ...(codeUses > 0 ? [changed.codes(codeUses)] : []),
    ...(actionsRun > 0 ? [changed.actions(actionsRun)] : []),
  ]
  return texts.shopState.summary(texts.shopState.since[since], parts.length === 0 ? [changed.nothing] : parts)
}
