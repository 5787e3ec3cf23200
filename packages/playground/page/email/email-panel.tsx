import { useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import type { MessageName } from '../inbox/message-name.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import type { PickedCode } from '../widgets/discount-field.tsx'
import { EmailBody } from './email-body.tsx'

/** The open email, as a mail program shows it. */
export function EmailPanel(props: {
  message: MessageName
  opening: number
  picked: PickedCode | null
  actions: readonly CustomAction[]
}) {
  const { config, email } = useShop()
  const [narrow, setNarrow] = useState(false)
  return (
    <article className="mail" aria-labelledby="mail-subject">
      <header className="mail-head">
        <h2 id="mail-subject" tabIndex={-1}>
          {texts.messages[props.message].subject}
        </h2>
        <div className="mail-meta">
          <span className="avatar brand-avatar" aria-hidden="true">
            {[...config.shopName][0]}
          </span>
          <p>
            <span className="mail-from">{config.shopName}</span>{' '}
            <span className="soft small">
              {texts.inbox.to} {email} · {texts.inbox.now}
            </span>
          </p>
          <div className="segments" role="group" aria-label={texts.inbox.widthLabel}>
            <button type="button" aria-pressed={!narrow} onClick={() => setNarrow(false)}>
              {texts.inbox.desktop}
            </button>
            <button type="button" aria-pressed={narrow} onClick={() => setNarrow(true)}>
              {texts.inbox.phone}
            </button>
          </div>
        </div>
      </header>
      <div className={narrow ? 'mail-canvas narrow' : 'mail-canvas'}>
        <EmailBody
          key={`${props.opening} ${email}`}
          message={props.message}
          picked={props.picked}
          actions={props.actions}
        />
      </div>
    </article>
  )
}
