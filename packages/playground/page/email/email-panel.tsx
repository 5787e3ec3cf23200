import { shownParts, type WidgetName } from '@storeport/core'
import { Fragment, useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import { Segments } from '../parts/controls.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { drawing, Icon } from '../parts/pictures.tsx'
import { isNothingToShow } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import { type Loaded, useRead } from '../shop/use-load.ts'
import { useClick } from '../shop/use-click.ts'
import { capitalize, texts } from '../texts.ts'
import { Portal } from '../widgets/portal.tsx'
import { ReactivateList } from '../widgets/reactivate-list.tsx'
import { Upsells } from '../widgets/upsells.tsx'
import { describeCustomer } from './inbox.tsx'

/** Widgets of each email, in display order. */
const widgetsOf = {
  box: ['portal', 'upsells'],
  shelf: ['upsells'],
  comeback: ['reactivate'],
  choices: ['customAction'],
} as const

/** The open email in the frame of an email program. */
export function EmailPanel() {
  const [isNarrow, onNarrow] = useState(false)
  const { email, message, opening } = useShop()
  return <Email key={`${opening} ${message} ${email}`} {...{ isNarrow, onNarrow }} />
}

/** An email program with one email: sender, drawing, headline, widgets and footer. */
function Email({ isNarrow, onNarrow }: { isNarrow: boolean; onNarrow: (isNarrow: boolean) => void }) {
  const { config, email, message, widgets } = useShop()
  const isBox = message === 'box'
  const hasProducts = isBox || message === 'shelf'
  const subscription = useRead('getSubscription', { email }, hasProducts && widgets.portal.ready)
  const products = useRead('listProducts', isBox ? { email } : {}, hasProducts && widgets.upsells.ready)
  const isComeback = message === 'comeback' && widgets.reactivate.ready
  const cancelled = useRead('listCancelledSubscriptions', { email }, isComeback)
  const hasBox = !isNothing(subscription)
  const read = { box: subscription, shelf: products, comeback: cancelled, choices: undefined }[message]
  const isEmpty = {
    box: !hasBox,
    shelf: products.data?.products.length === 0,
    comeback: isNothing(cancelled) || (cancelled.failure === null && cancelled.data?.subscriptions.length === 0),
    choices: config.actions.length === 0,
  }[message]

  /** Reloads the subscription and the product cards after a change to the subscription. */
  async function reload() {
    const [now] = await Promise.all([subscription.reload(), products.reload()])
    return now
  }
  const content = {
    portal: <Portal read={subscription} onChange={reload} />,
    upsells: (
      <Upsells
        hasBox={hasBox}
        read={products}
        label={isBox ? 'Room for one more' : 'New arrivals'}
        taxRate={(isBox && subscription.data?.customer_tax_rate) || 0}
        onChange={() => isBox && void reload()}
      />
    ),
    reactivate: <ReactivateList read={cancelled} />,
    customAction: (
      <section className="widget" aria-label="Choose">
        <ul className="stack">
          {config.actions.map((action) => (
            <CustomButton key={action.id} action={action} />
          ))}
        </ul>
      </section>
    ),
  }
  const { subject, title, intro, empty } = texts.messages[message]
  const isUnknown = read?.failure?.code === 'customer_not_found'
  const other = isEmpty && read?.waiting !== true ? (isUnknown ? texts.notFound : empty) : null
  // The test shop sells coffee, so its emails have drawings of coffee.
  const hasCoffee = config.data === 'test' && message !== 'comeback'
  return (
    <article className="mail" aria-labelledby="mail-subject">
      <header className="mail-head stack">
        <h2 id="mail-subject" tabIndex={-1}>
          {other?.title ?? subject}
        </h2>
        <div className="row">
          <span className="avatar strong" aria-hidden="true">
            {[...config.shopName][0]}
          </span>
          <p className="lines">
            <span className="strong">{config.shopName}</span>{' '}
            <span className="soft small clip">
              {describeCustomer(config, email)} · {email}
            </span>
          </p>
          <Segments
            label="Email width"
            options={[
              ['desktop', 'Desktop'],
              ['phone', 'Phone'],
            ]}
            chosen={isNarrow ? 'phone' : 'desktop'}
            onChoose={(name) => onNarrow(name === 'phone')}
          />
        </div>
      </header>
      <div className={isNarrow ? 'mail-canvas narrow' : 'mail-canvas'}>
        {/* The email itself. The customer sees only this element. */}
        <div className="paper">
          <p className="wordmark row accent">
            <Icon name="leaf" size={20} />
            {config.shopName}
          </p>
          <svg className={`scene ${message}`} viewBox="0 40 600 160" aria-hidden="true">
            <use href={drawing('room')} />
            <use href={drawing(hasCoffee ? `${message}-coffee` : message)} />
          </svg>
          <div className={read?.waiting === true ? 'letter centered letter-reading' : 'letter centered'}>
            <h3>{other?.title ?? title}</h3>
            <p className="soft">{other?.intro ?? intro}</p>
          </div>
          {widgetsOf[message].map((widget) => {
            if (!widgets[widget].ready) return <Missing key={widget} widget={widget} />
            // The headline explains why the email is empty. The customer can order products without a subscription.
            const isShown = !isEmpty || (isBox && widget === 'upsells')
            return isShown && <Fragment key={widget}>{content[widget]}</Fragment>
          })}
          <footer className="letter-footer ruled centered soft small">
            <p>{`This is what ${email} would see.`}</p>
            <p>This is a preview. No email was sent.</p>
          </footer>
        </div>
      </div>
    </article>
  )
}

/** A notice from the playground that the email platform hides a widget. */
function Missing({ widget }: { widget: WidgetName }) {
  const { missing = [] } = shownParts(useShop().offered).find((part) => part.widget === widget && !part.isButton) ?? {}
  return (
    <aside className="widget card dashed soft small">
      <p className="strong">{`No ${texts.widgets[widget]}`}</p>
      <p>{`The email platform hides this part. It requires ${missing.join(', ')}.`}</p>
    </aside>
  )
}

/** A button that runs a custom action of the merchant. */
function CustomButton({ action: { id, label = labelFromId(id) } }: { action: CustomAction }) {
  const { announce, callShop, email } = useShop()
  const [done, setDone] = useState(false)
  const click = useClick()

  async function run(): Promise<void> {
    setDone(false)
    if (!(await click.run(() => callShop('runCustomAction', { email, action_id: id })))) return
    setDone(true)
    announce(`${label}: done.`)
  }
  return (
    <li className="stack">
      <button className="choice-button between strong" aria-disabled={click.pending} onClick={run}>
        <span>{label}</span>
        <span className="accent">{done ? 'Done' : <span aria-hidden="true">→</span>}</span>
      </button>
      <ClickNotice click={click} />
    </li>
  )
}

/** Derives a label from an action id: `join_waitlist` becomes "Join waitlist". */
function labelFromId(id: string): string {
  const words = id.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? id : capitalize(words)
}

function isNothing({ failure }: Loaded<unknown>): boolean {
  return failure !== null && isNothingToShow(failure)
}
