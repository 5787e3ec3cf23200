import { useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import { describeCustomer } from '../inbox/describe-customer.ts'
import type { MessageName } from '../inbox/message-name.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import type { PickedCode } from '../widgets/discount-field.tsx'
import { EmailBody } from './email-body.tsx'
import type { EmailContent } from './email-content.ts'
import { headlineOf } from './headline-of.ts'

interface EmailPanelProps {
  readonly message: MessageName
  /** Grows when the email is opened again. */
  readonly opening: number
  readonly picked: PickedCode | null
  readonly actions: readonly CustomAction[]
}

/** The open email, as a mail program shows it. */
export function EmailPanel(props: EmailPanelProps) {
  const { email } = useShop()
  const [narrow, setNarrow] = useState(false)
  const key = `${props.opening} ${props.message} ${email}`
  return <OpenEmail key={key} {...props} narrow={narrow} onNarrow={setNarrow} />
}

function OpenEmail(props: EmailPanelProps & { narrow: boolean; onNarrow: (narrow: boolean) => void }) {
  const { config, email } = useShop()
  const { message, narrow, onNarrow } = props
  const [content, setContent] = useState<EmailContent>('reading')
  const { subject } = headlineOf(message, content)
  return (
    <article className="mail" aria-labelledby="mail-subject">
      <header className="mail-head">
        <h2 id="mail-subject" tabIndex={-1}>
          {subject}
        </h2>
        <div className="mail-meta">
          <span className="avatar brand-avatar" aria-hidden="true">
            {[...config.shopName][0]}
          </span>
          <p>
            <span className="mail-from">{config.shopName}</span>{' '}
            <span className="soft small">
              {describeCustomer(config, email)} · {email}
            </span>
          </p>
          <div className="segments" role="group" aria-label={texts.inbox.widthLabel}>
            <button type="button" aria-pressed={!narrow} onClick={() => onNarrow(false)}>
              {texts.inbox.desktop}
            </button>
            <button type="button" aria-pressed={narrow} onClick={() => onNarrow(true)}>
              {texts.inbox.phone}
            </button>
          </div>
        </div>
      </header>
      <div className={narrow ? 'mail-canvas narrow' : 'mail-canvas'}>
        <EmailBody
          message={message}
          picked={props.picked}
          actions={props.actions}
          content={content}
          onContent={setContent}
        />
      </div>
    </article>
  )
}
