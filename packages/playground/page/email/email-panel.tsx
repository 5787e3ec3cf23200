import { shownParts, type WidgetName } from '@storeport/core'
import { type ReactNode, useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import { Segments } from '../parts/controls.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { drawing, Icon } from '../parts/pictures.tsx'
import { isNothingToShow } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import { type Loaded, useRead } from '../shop/use-load.ts'
import { useClick } from '../shop/use-click.ts'
import { capitalize, texts } from '../texts.ts'
import type { MessageName } from '../values/address.ts'
import type { PickedCode } from '../widgets/discount-field.tsx'
import { Portal } from '../widgets/portal.tsx'
import { ReactivateList } from '../widgets/reactivate-list.tsx'
import { Upsells } from '../widgets/upsells.tsx'
import { describeCustomer } from './inbox.tsx'

interface EmailProps {
  readonly picked: PickedCode | null
  readonly actions: readonly CustomAction[]
  readonly frame: Pick<FrameProps, 'message' | 'isNarrow' | 'onNarrow'>
}

const emails = { box: BoxEmail, shelf: ShelfEmail, comeback: ComebackEmail, choices: ChoicesEmail }

/** The open email in the frame of an email program. `opening` increments when the email is opened again. */
export function EmailPanel(props: Omit<EmailProps, 'frame'> & { message: MessageName; opening: number }) {
  const { email } = useShop()
  const [isNarrow, onNarrow] = useState(false)
  const { message, opening, ...content } = props
  const Email = emails[message]
  return <Email key={`${opening} ${message} ${email}`} {...content} frame={{ message, isNarrow, onNarrow }} />
}

/** Displays the subscription and the product cards. A change to the subscription reloads both. */
function BoxEmail({ picked, frame }: EmailProps) {
  const { email, widgets } = useShop()
  const subscription = useRead('getSubscription', { email }, widgets.portal.ready)
  const products = useRead('listProducts', { email }, widgets.upsells.ready)
  const hasBox = !isNothing(subscription)
  async function reload() {
    const [now] = await Promise.all([subscription.reload(), products.reload()])
    return now
  }
  return (
    <Frame {...frame} read={subscription} isEmpty={!hasBox}>
      <Offered widget="portal">{hasBox && <Portal read={subscription} onChange={reload} />}</Offered>
      <Offered widget="upsells">
        <Upsells
          {...{ hasBox, picked }}
          read={products}
          label="Room for one more"
          taxRate={subscription.data?.customer_tax_rate ?? 0}
          onChange={() => void reload()}
        />
      </Offered>
    </Frame>
  )
}

function ShelfEmail({ picked, frame }: EmailProps) {
  const { email, widgets } = useShop()
  const read = useRead('listProducts', {}, widgets.upsells.ready)
  const hasBox = !isNothing(useRead('getSubscription', { email }, widgets.portal.ready))
  const isEmpty = read.data?.products.length === 0
  return (
    <Frame {...frame} {...{ read, isEmpty }}>
      {/* If the list is empty, the headline of the email explains why. */}
      <Offered widget="upsells">
        {!isEmpty && <Upsells {...{ read, hasBox, picked }} label="New arrivals" taxRate={0} onChange={() => {}} />}
      </Offered>
    </Frame>
  )
}

function ComebackEmail({ picked, frame }: EmailProps) {
  const { email, widgets } = useShop()
  const read = useRead('listCancelledSubscriptions', { email }, widgets.reactivate.ready)
  const isEmpty = isNothing(read) || (read.failure === null && read.data?.subscriptions.length === 0)
  return (
    <Frame {...frame} {...{ read, isEmpty }}>
      <Offered widget="reactivate">{!isEmpty && <ReactivateList read={read} picked={picked} />}</Offered>
    </Frame>
  )
}

function ChoicesEmail({ actions, frame }: EmailProps) {
  return (
    <Frame {...frame} isEmpty={actions.length === 0}>
      <Offered widget="customAction">
        {actions.length > 0 && (
          <section className="widget" aria-label="Choose">
            <ul className="stack">
              {actions.map((action) => (
                <CustomButton key={action.id} action={action} />
              ))}
            </ul>
          </section>
        )}
      </Offered>
    </Frame>
  )
}

/** A button that runs a custom action of the merchant. */
function CustomButton({ action }: { action: CustomAction }) {
  const { announce, callShop, email } = useShop()
  const [done, setDone] = useState(false)
  const click = useClick()
  const label = action.label ?? labelFromId(action.id)

  async function run(): Promise<void> {
    setDone(false)
    if (!(await click.run(() => callShop('runCustomAction', { email, action_id: action.id })))) return
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

interface FrameProps {
  readonly message: MessageName
  readonly isNarrow: boolean
  readonly onNarrow: (isNarrow: boolean) => void
  /** The content of the email. */
  readonly read?: Loaded<unknown>
  readonly isEmpty: boolean
  readonly children: ReactNode
}

/** An email program with one email: sender, drawing, headline, widgets and footer. */
function Frame({ message, isNarrow, onNarrow, read, isEmpty, children }: FrameProps) {
  const { config, email } = useShop()
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
            names={['desktop', 'phone']}
            titles={{ desktop: 'Desktop', phone: 'Phone' }}
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
          {children}
          <footer className="letter-footer ruled centered soft small">
            <p>{`This is what ${email} would see.`}</p>
            <p>This is a preview. No email was sent.</p>
          </footer>
        </div>
      </div>
    </article>
  )
}

/** Renders a widget, or a notice from the playground that the email platform hides the widget. */
function Offered({ widget, children }: { widget: WidgetName; children: ReactNode }) {
  const { offered, widgets } = useShop()
  if (widgets[widget].ready) return children
  const missing = shownParts(offered).find((part) => part.widget === widget && !part.isButton)?.missing ?? []
  return (
    <aside className="widget card dashed soft small">
      <p className="strong">{`No ${texts.widgets[widget]}`}</p>
      <p>{`The email platform hides this part. It requires ${missing.join(', ')}.`}</p>
    </aside>
  )
}
