import type { CurrentSubscription } from '@storeport/core'
import { useCallback, useEffect, useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import type { MessageName } from '../inbox/message-name.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import { CustomButtons } from '../widgets/custom-buttons.tsx'
import type { PickedCode } from '../widgets/discount-field.tsx'
import { Portal } from '../widgets/portal.tsx'
import { ReactivateList } from '../widgets/reactivate-list.tsx'
import { Upsells } from '../widgets/upsells.tsx'
import type { EmailContent } from './email-content.ts'
import { headlineOf } from './headline-of.ts'
import { Scene } from './scene.tsx'

interface EmailBodyProps {
  readonly message: MessageName
  readonly picked: PickedCode | null
  readonly actions: readonly CustomAction[]
  readonly content: EmailContent
  readonly onContent: (content: EmailContent) => void
}

/** The email itself: everything on the paper is what the customer sees. */
export function EmailBody({ message, picked, actions, content, onContent }: EmailBodyProps) {
  const { config, email } = useShop()
  const { title, intro } = headlineOf(message, content)
  const empty = message === 'choices' && actions.length === 0
  useEffect(() => {
    if (message === 'choices') onContent(empty ? 'nothing' : 'something')
  }, [message, empty, onContent])
  return (
    <div className="paper">
      <p className="wordmark">
        <LeafMark />
        {config.shopName}
      </p>
      <Scene message={message} />
      <div className={content === 'reading' ? 'letter letter-reading' : 'letter'}>
        <h3 className="letter-title">{title}</h3>
        <p className="letter-intro">{intro}</p>
      </div>
      {message === 'box' && <BoxWidgets picked={picked} onContent={onContent} />}
      {message === 'shelf' && (
        <Upsells personal={false} taxRate={0} picked={picked} onChange={nothing} onContent={onContent} />
      )}
      {message === 'comeback' && <ReactivateList picked={picked} onContent={onContent} />}
      {message === 'choices' && <CustomButtons actions={actions} />}
      <footer className="letter-footer">
        <p>{texts.footer.reason(email)}</p>
        <p>{texts.footer.preview}</p>
      </footer>
    </div>
  )
}

/** The subscription and what could travel with it: a change in one shows in the other. */
function BoxWidgets({ picked, onContent }: Pick<EmailBodyProps, 'picked' | 'onContent'>) {
  const [version, setVersion] = useState(0)
  const [taxRate, setTaxRate] = useState(0)
  const takeRate = useCallback((subscription: CurrentSubscription) => {
    setTaxRate(subscription.customer_tax_rate ?? 0)
  }, [])
  return (
    <>
      <Portal version={version} onRead={takeRate} onContent={onContent} />
      <Upsells
        personal
        taxRate={taxRate}
        picked={picked}
        onChange={() => setVersion((before) => before + 1)}
        onContent={nothing}
      />
    </>
  )
}

function nothing(): void {}

function LeafMark() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d="M3 17C3 8 8 3 17 3c0 9-5 14-14 14zm0 0L11 9" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </svg>
  )
}
