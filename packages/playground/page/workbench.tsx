import { type EndpointName, minorUnitDigits, widgetsFor } from '@storeport/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CustomAction, PlaygroundConfig } from '../src/protocol.ts'
import { EmailPanel } from './email/email-panel.tsx'
import { InboxPanel } from './inbox/inbox-panel.tsx'
import type { MessageName } from './inbox/message-name.ts'
import type { PanelName } from './panel-name.ts'
import { EmptyPlace } from './parts/notice.tsx'
import { useToast } from './parts/toast.tsx'
import { sayMoneyIn } from './say-money.ts'
import { type ShopContext, ShopProvider } from './shop/shop-context.ts'
import { useCalls } from './shop/use-calls.ts'
import { texts } from './texts.ts'
import { TopBar } from './top-bar.tsx'
import type { PickedCode } from './widgets/discount-field.tsx'
import { WirePanel } from './wire/wire-panel.tsx'

/** Inbox, email and wire next to each other. */
export function Workbench({ config }: { config: PlaygroundConfig }) {
  const { callShop, log, clearLog, hostProblem } = useCalls()
  const { announce, place } = useToast()
  const [panel, setPanel] = useState<PanelName>('email')
  const [email, setEmail] = useState(config.customers[0]?.email ?? '')
  const [message, setMessage] = useState<MessageName>('box')
  const [seen, setSeen] = useState<ReadonlySet<MessageName>>(new Set<MessageName>(['box']))
  const [hidden, setHidden] = useState<ReadonlySet<EndpointName>>(new Set<EndpointName>())
  const [picked, setPicked] = useState<PickedCode | null>(null)
  const [added, setAdded] = useState<readonly CustomAction[]>([])
  /** Grows when everything in the shop may have changed, so that the email is opened again. */
  const [opening, setOpening] = useState(0)

  const offered = useMemo(() => config.offered.filter((name) => !hidden.has(name)), [config.offered, hidden])
  const shop: ShopContext = useMemo(
    () => ({
      config,
      widgets: widgetsFor(offered),
      offered,
      email,
      callShop,
      announce,
      digits: minorUnitDigits(config.currency),
      sayMoney: sayMoneyIn(config.currency),
    }),
    [config, offered, email, callShop, announce],
  )

  const inboxPanel = useRef<HTMLElement>(null)
  const emailPanel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    emailPanel.current?.scrollTo(0, 0)
    // On a narrow screen what was clicked has gone out of view.
    const inboxIsGone = opening > 0 && inboxPanel.current?.checkVisibility() === false
    if (inboxIsGone) emailPanel.current?.querySelector<HTMLElement>('h2')?.focus()
  }, [opening, email])

  function open(name: MessageName): void {
    setMessage(name)
    setSeen((before) => new Set([...before, name]))
    setPicked(null)
    setPanel('email')
    setOpening((before) => before + 1)
  }
  function readAs(customer: string): void {
    setEmail(customer)
    setPicked(null)
  }

  return (
    <ShopProvider value={shop}>
      <div className="workbench" data-panel={panel}>
        <TopBar panel={panel} onPanel={setPanel} testMode={config.testMode} />
        {hostProblem !== null && (
          <p className="banner" role="alert">
            {hostProblem}
          </p>
        )}
        <main className="panels">
          <section className="panel inbox-panel" ref={inboxPanel} aria-label={texts.panels.inbox}>
            <InboxPanel
              open={message}
              read={seen}
              onOpen={open}
              onCustomer={readAs}
              onCode={(code) => {
                // This one has no place for a code.
                if (message === 'choices') open('box')
                setPicked({ code })
                setPanel('email')
              }}
              onAction={(action) => {
                setAdded((before) => [...before.filter(({ id }) => id !== action.id), action])
                open('choices')
              }}
            />
          </section>
          <section className="panel email-panel" id="email" tabIndex={-1} aria-label={texts.panels.email}>
            <p className="what-it-is">
              {texts.whatItIs}
              <span className="calls-beside">{texts.callsBeside}</span>
              <span className="calls-behind">{texts.callsBehind}</span>
            </p>
            <div className="mail-scroll" ref={emailPanel}>
              {email === '' ? (
                <EmptyPlace title={texts.customers.noneTitle} text={texts.customers.noneText} />
              ) : (
                <EmailPanel {...{ message, opening, picked }} actions={[...config.actions, ...added]} />
              )}
            </div>
          </section>
          <section className="panel wire-panel" aria-label={texts.panels.wire}>
            <WirePanel
              log={log}
              onClear={clearLog}
              hidden={hidden}
              onHide={(name, hide) => setHidden((before) => withName(before, name, hide))}
              onChecked={() => setOpening((before) => before + 1)}
            />
          </section>
        </main>
        {place}
      </div>
    </ShopProvider>
  )
}

function withName(names: ReadonlySet<EndpointName>, name: EndpointName, has: boolean): ReadonlySet<EndpointName> {
  const changed = new Set(names)
  if (has) changed.add(name)
  else changed.delete(name)
  return changed
}
