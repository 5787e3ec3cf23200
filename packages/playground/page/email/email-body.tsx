import type { CurrentSubscription } from '@storeport/core'
import { useCallback, useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import type { MessageName } from '../inbox/message-name.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import { CustomButtons } from '../widgets/custom-buttons.tsx'
import type { PickedCode } from '../widgets/discount-field.tsx'
import { Portal } from '../widgets/portal.tsx'
import { ReactivateList } from '../widgets/reactivate-list.tsx'
import { Upsells } from '../widgets/upsells.tsx'
import { Scene } from './scene.tsx'

interface EmailBodyProps {
  readonly message: MessageName
  readonly picked: PickedCode | null
  readonly actions: readonly CustomAction[]
}

/** The email itself: everything on the paper is what the customer sees. */
export function EmailBody({ message, picked, actions }: EmailBodyProps) {
  const { config, email } = useShop()
  const { title, intro } = texts.messages[message]
  return (
    <div className="paper">
      <p className="wordmark">
        <LeafMark />
        {config.shopName}
      </p>
      <Scene message={message} />
      <div className="letter">
        <h3 className="letter-title">{title}</h3>
        <p className="letter-intro">{intro}</p>
      </div>
      {message === 'box' && <BoxWidgets picked={picked} />}
      {message === 'shelf' && <Upsells personal={false} taxRate={0} picked={picked} onChange={nothing} />}
      {message === 'comeback' && <ReactivateList picked={picked} />}
      {message === 'choices' && <CustomButtons actions={actions} />}
      <footer className="letter-footer">
        <p>{texts.footer.reason(email)}</p>
        <p>{texts.footer.preview}</p>
      </footer>
    </div>
  )
}

/** The subscription and what could travel with it: a change in one shows in the other. */
function BoxWidgets({ picked }: { picked: PickedCode | null }) {
  const [version, setVersion] = useState(0)
  const [taxRate, setTaxRate] = useState(0)
  const takeRate = useCallback((subscription: CurrentSubscription) => {
    setTaxRate(subscription.customer_tax_rate ?? 0)
  }, [])
  return (
    <>
      <Portal version={version} onRead={takeRate} />
      <Upsells personal taxRate={taxRate} picked={picked} onChange={() => setVersion((before) => before + 1)} />
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
