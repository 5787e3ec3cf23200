import { shownParts, type WidgetName } from '@storeport/core'
import { type ReactNode, useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import type { MessageName } from '../values/address.ts'
import { describeCustomer } from './inbox.tsx'
import { drawing, Icon } from '../parts/pictures.tsx'
import { Segments } from '../parts/segments.tsx'
import { isNothingToShow } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import { contentOf, type EmailContent, type ReadState, useRead } from '../shop/use-read.ts'
import { texts } from '../texts.ts'
import { CustomButtons } from '../widgets/custom-buttons.tsx'
import type { PickedCode } from '../widgets/discount-field.tsx'
import { Portal } from '../widgets/portal.tsx'
import { ReactivateList } from '../widgets/reactivate-list.tsx'
import { Upsells } from '../widgets/upsells.tsx'

type Width = 'desktop' | 'phone'

interface EmailProps {
  readonly picked: PickedCode | null
  readonly actions: readonly CustomAction[]
  readonly width: Width
  readonly onWidth: (width: Width) => void
}

const emails = { box: BoxEmail, shelf: ShelfEmail, comeback: ComebackEmail, choices: ChoicesEmail }

/** The open email in the frame of an email program. `opening` increments when the email is opened again. */
export function EmailPanel({
  message,
  opening,
  ...props
}: Omit<EmailProps, 'width' | 'onWidth'> & { message: MessageName; opening: number }) {
  const { email } = useShop()
  const [width, onWidth] = useState<Width>('desktop')
  const Email = emails[message]
  return <Email key={`${opening} ${message} ${email}`} {...{ ...props, width, onWidth }} />
}

/** Displays the subscription and the product cards. A change to the subscription reloads both. */
function BoxEmail({ picked, ...props }: EmailProps) {
  const { email, widgets } = useShop()
  const subscription = useRead('getSubscription', { email }, widgets.portal.ready)
  const products = useRead('listProducts', { email }, widgets.upsells.ready)
  const isEmpty = isNothing(subscription)
  async function reload() {
    const [now] = await Promise.all([subscription.reload(), products.reload()])
    return now
  }
  return (
    <Frame {...props} message="box" content={contentOf(subscription, isEmpty)}>
      <Offered widget="portal">{!isEmpty && <Portal read={subscription} onChange={reload} />}</Offered>
      <Offered widget="upsells">
        <Upsells
          read={products}
          label="Room for one more"
          hasBox={!isEmpty}
          taxRate={subscription.data?.customer_tax_rate ?? 0}
          picked={picked}
          onChange={() => void reload()}
        />
      </Offered>
    </Frame>
  )
}

function ShelfEmail({ picked, ...props }: EmailProps) {
  const { email, widgets } = useShop()
  const read = useRead('listProducts', {}, widgets.upsells.ready)
  const hasBox = !isNothing(useRead('getSubscription', { email }, widgets.portal.ready))
  const isEmpty = read.data?.products.length === 0
  const label = 'New arrivals'
  return (
    <Frame {...props} message="shelf" content={contentOf(read, isEmpty)}>
      {/* If the list is empty, the headline of the email explains why. */}
      <Offered widget="upsells">
        {!isEmpty && <Upsells {...{ read, label, hasBox, picked }} taxRate={0} onChange={() => {}} />}
      </Offered>
    </Frame>
  )
}

function ComebackEmail({ picked, ...props }: EmailProps) {
  const { email, widgets } = useShop()
  const read = useRead('listCancelledSubscriptions', { email }, widgets.reactivate.ready)
  const isEmpty = isNothing(read) || (read.failure === null && read.data?.subscriptions.length === 0)
  return (
    <Frame {...props} message="comeback" content={contentOf(read, isEmpty)}>
      <Offered widget="reactivate">{!isEmpty && <ReactivateList read={read} picked={picked} />}</Offered>
    </Frame>
  )
}

function ChoicesEmail({ actions, ...props }: EmailProps) {
  return (
    <Frame {...props} message="choices" content={actions.length === 0 ? 'nothing' : 'something'}>
      <Offered widget="customAction">
        <CustomButtons actions={actions} />
      </Offered>
    </Frame>
  )
}

function isNothing({ failure }: ReadState<unknown>): boolean {
  return failure !== null && isNothingToShow(failure)
}

/** An email program with one email: sender, drawing, headline, widgets and footer. */
function Frame(props: {
  message: MessageName
  content: EmailContent
  width: Width
  onWidth: (width: Width) => void
  children: ReactNode
}) {
  const { config, email } = useShop()
  const { message, content, width } = props
  const { subject, title, intro } = chooseHeadline(message, content)
  return (
    <article className="mail" aria-labelledby="mail-subject">
      <header className="mail-head stack">
        <h2 id="mail-subject" tabIndex={-1}>
          {subject}
        </h2>
        <div className="mail-meta">
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
            chosen={width}
            onChoose={props.onWidth}
          />
        </div>
      </header>
      <div className={width === 'phone' ? 'mail-canvas narrow' : 'mail-canvas'}>
        {/* The email itself. The customer sees only this element. */}
        <div className="paper">
          <p className="wordmark row accent">
            <Icon name="leaf" size={20} />
            {config.shopName}
          </p>
          <Scene message={message} />
          <div className={content === 'reading' ? 'letter letter-reading' : 'letter'}>
            <h3>{title}</h3>
            <p className="soft">{intro}</p>
          </div>
          {props.children}
          <footer className="letter-footer ruled soft small">
            <p>{`This is what ${email} would see.`}</p>
            <p>This is a preview. No email was sent.</p>
          </footer>
        </div>
      </div>
    </article>
  )
}

/** Returns the subject, title and introduction of an email, which depend on its content. */
function chooseHeadline(message: MessageName, content: EmailContent) {
  const { subject, title, intro, empty } = texts.messages[message]
  if (content === 'nothing') return { subject: empty.title, ...empty }
  if (content === 'unknown') return { subject: texts.notFound.title, ...texts.notFound }
  return { subject, title, intro }
}

/** Drawing at the top of an email. The test shop sells coffee, so its emails have drawings of coffee. */
function Scene({ message }: { message: MessageName }) {
  const hasCoffee = useShop().config.data === 'test' && message !== 'comeback'
  return (
    <svg className={`scene ${message}`} viewBox="0 40 600 160" aria-hidden="true">
      <use href={drawing('room')} />
      <use href={drawing(hasCoffee ? `${message}-coffee` : message)} />
    </svg>
  )
}

/** Renders a widget, or explains that the email platform hides the widget. The notice is not part of the email. */
function Offered({ widget, children }: { widget: WidgetName; children: ReactNode }) {
  const { offered, widgets } = useShop()
  if (widgets[widget].ready) return children
  const missing = shownParts(offered).find((part) => part.widget === widget && !part.isButton)?.missing ?? []
  return (
    <aside className="absent-widget card soft">
      <p className="strong">{`No ${texts.widgets[widget]}`}</p>
      <p>{`The email platform hides this part. It requires ${missing.join(', ')}.`}</p>
    </aside>
  )
}
