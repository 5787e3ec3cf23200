import { toMinor } from '@storeport/rules'
import type { ReactNode } from 'react'
import { sayDayShort } from '../days.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import type { Changes } from './count-changes.ts'
import { OrderReceipt } from './order-receipt.tsx'
import type { Inside } from './use-inside.ts'

/** The merchant's side: orders, uses of codes and actions run, as they are after each click. */
export function InsidePanel({ inside: { shop, changes, problem, look } }: { inside: Inside }) {
  const { config, digits, sayMoney } = useShop()
  return (
    <>
      <p className="inside-change" role="status">
        {changes === null ? texts.inside.intro : sayChanges(changes)}
      </p>
      {problem !== null && (
        <p className="notice notice-quiet" role="alert">
          <span>{problem}</span>
          <button type="button" className="link-button" onClick={() => void look('click')}>
            {texts.retry}
          </button>
        </p>
      )}
      {shop !== null && (
        <>
          <Section title={texts.inside.orders} count={shop.orders.length} empty={texts.inside.noOrders}>
            {shop.orders.map((order) => (
              <OrderReceipt key={order.id} order={order} mark={markOf(order.id, changes)} />
            ))}
          </Section>
          <Section title={texts.inside.codeUses} count={shop.codeUses.length} empty={texts.inside.noCodeUses}>
            {shop.codeUses.map(({ code, email, usedOn, amount, orderId }, index) => (
              <Row key={index} isNew={index < (changes?.codeUses ?? 0)} name={code} who={email}>
                −{sayMoney(toMinor(amount, digits))} · {sayDayShort(config.today, usedOn)} ·{' '}
                {orderId === null ? texts.inside.waits : texts.inside.inOrder(orderId)}
              </Row>
            ))}
          </Section>
          <Section title={texts.inside.actionsRun} count={shop.actionsRun.length} empty={texts.inside.noActions}>
            {shop.actionsRun.map(({ actionId, email, runOn }, index) => (
              <Row key={index} isNew={index < (changes?.actionsRun ?? 0)} name={actionId} who={email}>
                {sayDayShort(config.today, runOn)}
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
      {props.count === 0 ? (
        <p className="soft small">{props.empty}</p>
      ) : (
        <ol className="inside-list">{props.children}</ol>
      )}
    </section>
  )
}

function Row(props: { isNew: boolean; name: string; who: string; children: ReactNode }) {
  return (
    <li className={props.isNew ? 'inside-row receipt-marked' : 'inside-row'}>
      <p className="receipt-who">
        <code>{props.name}</code>
        {props.isNew && <span className="status status-good">{texts.inside.fresh}</span>}
      </p>
      <p className="soft small">{props.who}</p>
      <p className="soft small">{props.children}</p>
    </li>
  )
}

function markOf(id: string, changes: Changes | null): 'fresh' | 'touched' | null {
  if (changes?.newOrders.has(id) === true) return 'fresh'
  return changes?.touchedOrders.has(id) === true ? 'touched' : null
}

/** What came of the last click, the one effect of a double click included, or of a new date. */
function sayChanges({ since, newOrders, touchedOrders, codeUses, actionsRun }: NonNullable<Inside['changes']>): string {
  const { changed } = texts.inside
  const parts = [
    ...(newOrders.size > 0 ? [changed.orders(newOrders.size)] : []),
    ...(touchedOrders.size > 0 ? [changed.touched(touchedOrders.size)] : []),
    ...(codeUses > 0 ? [changed.codes(codeUses)] : []),
    ...(actionsRun > 0 ? [changed.actions(actionsRun)] : []),
  ]
  return texts.inside.sayChanges(texts.inside.since[since], parts.length === 0 ? [changed.nothing] : parts)
}
