import { type CurrentSubscription, shownParts, type WidgetName } from '@storeport/core'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import type { MessageName } from '../values/address.ts'
import { describeCustomer } from './inbox.tsx'
import { drawing, Icon } from '../parts/icon.tsx'
import { useShop } from '../shop/shop-context.ts'
import type { EmailContent } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'
import { CustomButtons } from '../widgets/custom-buttons.tsx'
import type { PickedCode } from '../widgets/discount-field.tsx'
import { Portal } from '../widgets/portal.tsx'
import { ReactivateList } from '../widgets/reactivate-list.tsx'
import { Upsells } from '../widgets/upsells.tsx'

interface EmailPanelProps {
  readonly message: MessageName
  /** Increments when the email is opened again. */
  readonly opening: number
  readonly picked: PickedCode | null
  readonly actions: readonly CustomAction[]
}

interface WidgetProps {
  readonly picked: PickedCode | null
  readonly onContent: (content: EmailContent) => void
}

/** The open email in the frame of an email program. */
export function EmailPanel(props: EmailPanelProps) {
  const { email } = useShop()
  const [narrow, setNarrow] = useState(false)
  const key = `${props.opening} ${props.message} ${email}`
  return <OpenEmail key={key} {...props} narrow={narrow} onNarrow={setNarrow} />
}

function OpenEmail(props: EmailPanelProps & { narrow: boolean; onNarrow: (narrow: boolean) => void }) {
  const { config, email } = useShop()
  const { message, actions, narrow, onNarrow } = props
  const [read, setContent] = useState<EmailContent>('reading')
  const content = message !== 'choices' ? read : actions.length === 0 ? 'nothing' : 'something'
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
          <div className="segments" role="group" aria-label={texts.inbox.widthLabel}>
            <button aria-pressed={!narrow} onClick={() => onNarrow(false)}>
              {texts.inbox.desktop}
            </button>
            <button aria-pressed={narrow} onClick={() => onNarrow(true)}>
              {texts.inbox.phone}
            </button>
          </div>
        </div>
      </header>
      <div className={narrow ? 'mail-canvas narrow' : 'mail-canvas'}>
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
          <Widgets message={message} actions={actions} picked={props.picked} onContent={setContent} />
          <footer className="letter-footer ruled soft small">
            <p>{texts.footer.reason(email)}</p>
            <p>{texts.footer.preview}</p>
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
  if (content === 'unknown') return { subject: texts.customerNotFound.title, ...texts.customerNotFound }
  return { subject, title, intro }
}

/** The drawing at the top of an email. Shows coffee for the test shop. */
function Scene({ message }: { message: MessageName }) {
  const hasCoffee = useShop().config.data === 'test' && message !== 'comeback'
  return (
    <svg className={`scene ${message}`} viewBox="0 40 600 160" aria-hidden="true">
      <use href={drawing('room')} />
      <use href={drawing(hasCoffee ? `${message}-coffee` : message)} />
    </svg>
  )
}

function Widgets({ message, actions, ...props }: WidgetProps & Pick<EmailPanelProps, 'message' | 'actions'>) {
  const { onContent } = props
  switch (message) {
    case 'box':
      return <BoxWidgets {...props} />
    case 'shelf':
      return (
        <Offered widget="upsells" onContent={onContent}>
          <Upsells personal={false} taxRate={0} onChange={nothing} {...props} />
        </Offered>
      )
    case 'comeback':
      return (
        <Offered widget="reactivate" onContent={onContent}>
          <ReactivateList {...props} />
        </Offered>
      )
    case 'choices':
      return (
        <Offered widget="customAction" onContent={onContent}>
          <CustomButtons actions={actions} />
        </Offered>
      )
  }
}

/** The subscription and the product cards. A change in the product cards reloads the subscription. */
function BoxWidgets({ picked, onContent }: WidgetProps) {
  const [version, setVersion] = useState(0)
  const [taxRate, setTaxRate] = useState(0)
  const updateTaxRate = useCallback((subscription: CurrentSubscription) => {
    setTaxRate(subscription.customer_tax_rate ?? 0)
  }, [])
  const increment = () => setVersion((before) => before + 1)
  return (
    <>
      <Offered widget="portal" onContent={onContent}>
        <Portal version={version} onRead={updateTaxRate} onContent={onContent} />
      </Offered>
      <Offered widget="upsells" onContent={nothing}>
        <Upsells personal taxRate={taxRate} picked={picked} onChange={increment} onContent={nothing} />
      </Offered>
    </>
  )
}

/** Renders a widget, or a notice if the email platform would hide the widget. */
function Offered(props: { widget: WidgetName; onContent: (content: EmailContent) => void; children: ReactNode }) {
  const { widget, onContent } = props
  const { ready } = useShop().widgets[widget]
  useEffect(() => {
    if (!ready) onContent('something')
  }, [ready, onContent])
  return ready ? props.children : <HiddenWidget widget={widget} />
}

/** Explains why a widget is hidden. This notice is not part of the email. */
function HiddenWidget({ widget }: { widget: WidgetName }) {
  const { offered } = useShop()
  const missing = shownParts(offered).find((part) => part.widget === widget && !part.isButton)?.missing ?? []
  return (
    <aside className="absent-widget card soft">
      <p className="strong">{texts.absent.widgets[widget]}</p>
      <p>{texts.absent.needs(missing.join(', '))}</p>
    </aside>
  )
}

function nothing(): void {}
