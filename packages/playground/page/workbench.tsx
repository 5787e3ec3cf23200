import { type EndpointName, minorUnitDigits, widgetsFor } from '@storeport/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CustomAction, PlaygroundConfig } from '../src/protocol.ts'
import type { MessageName, ReadView } from './values/address.ts'
import { createMoneyFormat } from './values/amounts.ts'
import { formatDayFrom } from './values/days.ts'
import { EmailPanel } from './email/email-panel.tsx'
import { Inbox } from './email/inbox.tsx'
import { EmptyPlace } from './parts/notice.tsx'
import { useToast } from './parts/toast.tsx'
import { type ShopContext, ShopProvider } from './shop/shop-context.ts'
import { type Calls, findNextBilling, isMissingCustomer, useCalls } from './shop/use-calls.ts'
import { ResetQuestion, ShopMenu, useShopDate } from './shop-menu.tsx'
import { SignInNotice } from './sign-in-notice.tsx'
import { texts } from './texts/texts.ts'
import { TopBar } from './top-bar.tsx'
import { useView } from './use-view.ts'
import type { PickedCode } from './widgets/discount-field.tsx'
import { useDemoState } from './wire/use-demo-state.ts'
import { WirePanel } from './wire/wire-panel.tsx'

/** The page with its panels: inbox, email and inspector. */
export function Workbench(props: {
  config: PlaygroundConfig
  /** Message to display at the start. */
  greeting: string | null
  /** Reloads the page content after the shop was reset. */
  onStartOver: () => Promise<void>
}) {
  const calls = useCalls()
  const { callShop, log, reportHost } = calls
  const { announce, place } = useToast()
  const { view, linked, followed, show, dismissLink } = useView(props.config.customers[0]?.email ?? '')
  const { email, message, panel, widget } = view
  const [seen, setSeen] = useState<ReadonlySet<MessageName>>(new Set())
  const [hidden, setHidden] = useState<readonly EndpointName[]>([])
  const [picked, setPicked] = useState<PickedCode | null>(null)
  const [added, setAdded] = useState<readonly CustomAction[]>([])
  const [isResetOpen, setResetOpen] = useState(false)
  /** Increments to open the email again, for example after the shop's date was moved. */
  const [opening, setOpening] = useState(0)
  const reopen = () => setOpening((before) => before + 1)

  const date = useShopDate(props.config, reportHost)
  const state = useDemoState(props.config.demo.state, calls.lastClick, reportHost)
  const config = useMemo(() => ({ ...props.config, today: date.today }), [props.config, date.today])
  const openWidget = useCallback((name: string | null) => show({ widget: name }, 'replace'), [show])
  const offered = useMemo(() => config.offered.filter((name) => !hidden.includes(name)), [config.offered, hidden])
  const shop: ShopContext = useMemo(
    () => ({
      config,
      widgets: widgetsFor(offered),
      offered,
      email,
      callShop,
      widget,
      openWidget,
      announce,
      digits: minorUnitDigits(config.currency),
      formatMoney: createMoneyFormat(config.currency),
    }),
    [config, offered, email, callShop, widget, openWidget, announce],
  )

  const inboxPanel = useRef<HTMLElement>(null)
  const emailPanel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    emailPanel.current?.scrollTo(0, 0)
    // On a narrow screen, the inbox with the clicked element is hidden, so the focus moves to the email.
    const inboxIsGone = opening > 0 && inboxPanel.current?.checkVisibility() === false
    if (inboxIsGone) emailPanel.current?.querySelector<HTMLElement>('h2')?.focus()
  }, [opening, email])
  useEffect(() => setSeen((before) => new Set([...before, message])), [message])
  // Clears the selected code after a navigation, because the code applies only to the email that was open.
  useEffect(() => setPicked(null), [followed])
  useEffect(() => {
    if (props.greeting === null) return
    announce(props.greeting)
    // Focuses the email, because the focused element was removed with the previous page content.
    document.getElementById('email')?.focus()
  }, [props.greeting, announce])

  function open(name: MessageName): void {
    show({ message: name, panel: 'email', widget: null })
    setPicked(null)
    reopen()
  }
  function selectCustomer(customer: string): void {
    show({ email: customer, widget: null })
    dismissLink()
    setPicked(null)
  }
  const notes = linked === null ? [] : linkNotes(linked, log, config)

  return (
    <ShopProvider value={shop}>
      <div className="workbench" data-panel={panel}>
        <TopBar
          config={config}
          panel={panel}
          onPanel={(name) => show({ panel: name })}
          isTwice={calls.doubleClick !== null}
          menu={
            <ShopMenu
              config={config}
              email={email}
              nextBilling={findNextBilling(log, email)}
              onMove={async (to) => {
                const outcome = await date.move(to, email)
                if (!outcome.ok) return outcome
                reopen()
                announce(texts.time.done(formatDayFrom(date.today, outcome.data.today), outcome.data.billed))
                await state.look('date')
                return outcome
              }}
              onReset={() => setResetOpen(true)}
            />
          }
        />
        {calls.hostProblem === 'offline' && (
          <p className="banner wrap" role="alert">
            {texts.offline}
          </p>
        )}
        {calls.hostProblem === 'signedOut' && (
          <SignInNotice
            onSignedIn={() => {
              reportHost(null)
              announce(texts.signIn.done)
              reopen()
              void state.look('click')
            }}
          />
        )}
        {notes.length > 0 && (
          <div className="bar-notice wrap" role="status">
            {notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
            <button className="link-button" onClick={dismissLink}>
              {texts.link.dismiss}
            </button>
          </div>
        )}
        <main className="panels">
          <section className="panel inbox-panel" ref={inboxPanel} aria-label={texts.panels.inbox}>
            <Inbox
              open={message}
              read={seen}
              onOpen={open}
              onCustomer={selectCustomer}
              onCode={(code) => {
                // The email `choices` has no field for a discount code.
                if (message === 'choices') open('box')
                setPicked({ code })
                show({ panel: 'email' })
              }}
              onAction={(action) => {
                setAdded((before) => [...before.filter(({ id }) => id !== action.id), action])
                open('choices')
              }}
            />
          </section>
          <section className="panel email-panel" id="email" tabIndex={-1} aria-label={texts.panels.email}>
            <p className="what-it-is small medium">
              {texts.whatItIs}
              <span className="requests-note">{texts.requestsNote}</span>
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
              calls={calls}
              state={state}
              view={view}
              onShow={(change) => show(change, 'replace')}
              hidden={hidden}
              onHide={(name, hide) => setHidden([...hidden.filter((one) => one !== name), ...(hide ? [name] : [])])}
              onChecked={() => {
                reopen()
                void state.look('checks')
              }}
            />
          </section>
        </main>
        {isResetOpen && (
          <ResetQuestion
            onClose={() => setResetOpen(false)}
            onReset={async () => {
              const outcome = await date.reset()
              if (outcome.ok) await props.onStartOver()
              return outcome
            }}
          />
        )}
        {place}
      </div>
    </ShopProvider>
  )
}

/** Returns messages about the invalid parts of the URL, and about a customer whom the shop did not find. */
function linkNotes({ view, invalid }: ReadView, log: Calls['log'], { customers }: PlaygroundConfig): readonly string[] {
  const isOther = customers.every(({ email }) => email !== view.email) && isMissingCustomer(log, view.email)
  return [...invalid.map((part) => texts.link.invalid[part]), ...(isOther ? [texts.link.unknown(view.email)] : [])]
}
