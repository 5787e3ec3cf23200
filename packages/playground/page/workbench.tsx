import { type EndpointName, minorUnitDigits, widgetsFor } from '@storeport/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CustomAction, PlaygroundConfig } from '../src/protocol.ts'
import { useView } from './use-view.ts'
import type { MessageName } from './values/address.ts'
import { createMoneyFormat } from './values/amounts.ts'
import { EmailPanel } from './email/email-panel.tsx'
import { Inbox } from './email/inbox.tsx'
import { EmptyPlace } from './parts/notice.tsx'
import { Icon } from './parts/pictures.tsx'
import { Question } from './parts/question.tsx'
import { postToHost, toOutcome } from './shop/host.ts'
import { type ShopContext, ShopProvider } from './shop/shop-context.ts'
import { useCalls } from './shop/use-calls.ts'
import { ShopMenu } from './shop-menu.tsx'
import { SignInNotice } from './sign-in-notice.tsx'
import { texts } from './texts.ts'
import { TopBar } from './top-bar.tsx'
import type { PickedCode } from './widgets/discount-field.tsx'
import { useDemoState } from './wire/use-demo-state.ts'
import { WirePanel } from './wire/wire-panel.tsx'

/** The page with its panels: inbox, email and inspector. */
export function Workbench(props: {
  config: PlaygroundConfig
  /** Message to display at the start. */
  greeting: string
  /** Reloads the page content after the shop was reset. */
  onStartOver: () => Promise<void>
}) {
  const calls = useCalls()
  const { callShop, reportHost } = calls
  const { view, invalid, followed, show } = useView(props.config.customers[0]?.email ?? '')
  const { email, message, panel, widget } = view
  /** Message about the last action, and a number that increments with each message. */
  const [said, setSaid] = useState({ text: props.greeting, turn: 0 })
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), [])
  const [seen, setSeen] = useState<ReadonlySet<MessageName>>(new Set())
  const [hidden, setHidden] = useState<readonly EndpointName[]>([])
  const [picked, setPicked] = useState<PickedCode | null>(null)
  const [added, setAdded] = useState<readonly CustomAction[]>([])
  const [isResetOpen, setResetOpen] = useState(false)
  /** Increments to open the email again. */
  const [opening, setOpening] = useState(0)

  const state = useDemoState(props.config.demo, calls.lastClick, reportHost)
  const { config } = props
  const openWidget = useCallback((name: string | null) => show({ widget: name }, 'replace'), [show])
  const offered = useMemo(() => config.offered.filter((name) => !hidden.includes(name)), [config.offered, hidden])
  const shop: ShopContext = useMemo(
    () => ({
      ...{ config, offered, email, callShop, widget, openWidget, announce },
      widgets: widgetsFor(offered),
      digits: minorUnitDigits(config.currency),
      formatMoney: createMoneyFormat(config.currency),
    }),
    [config, offered, email, callShop, widget, openWidget, announce],
  )

  const inboxPanel = useRef<HTMLElement>(null)
  const emailPanel = useRef<HTMLElement>(null)
  useEffect(() => {
    emailPanel.current?.scrollTo(0, 0)
    // Moves the focus to the email on a narrow screen, because the inbox with the clicked element is hidden.
    const inboxIsGone = opening > 0 && inboxPanel.current?.checkVisibility() === false
    if (inboxIsGone) emailPanel.current?.querySelector<HTMLElement>('h2')?.focus()
  }, [opening, email])
  // Removes a message about an earlier success, which does not apply while the playground server is unavailable.
  useEffect(() => {
    if (calls.hostProblem !== null) announce('')
  }, [calls.hostProblem, announce])
  useEffect(() => setSeen((before) => new Set([...before, message])), [message])
  // Clears the selected code after a navigation, because the code applies only to the email that was open.
  useEffect(() => setPicked(null), [followed])
  useEffect(() => {
    // Focuses the email, because the focused element was removed with the previous page content.
    if (props.greeting !== '') document.getElementById('email')?.focus()
  }, [props.greeting])

  function reopen(): void {
    calls.startGroup()
    setOpening((before) => before + 1)
  }
  function open(name: MessageName): void {
    show({ message: name, panel: 'email', widget: null })
    setPicked(null)
    announce('')
    reopen()
  }
  function selectCustomer(customer: string): void {
    calls.startGroup()
    show({ email: customer, widget: null })
    setPicked(null)
    announce('')
  }
  const notes = said.text === '' ? invalid.map((part) => texts.invalid[part]) : [said.text]

  return (
    <ShopProvider value={shop}>
      <div className="workbench" data-panel={panel}>
        <TopBar
          config={config}
          panel={panel}
          onPanel={(name) => show({ panel: name })}
          isTwice={calls.way !== 'once'}
          menu={<ShopMenu config={config} onReset={() => setResetOpen(true)} />}
        />
        {calls.hostProblem === 'offline' && (
          <p className="bar-notice bad" role="alert">
            The playground server is not responding. Start it again, then repeat the click.
          </p>
        )}
        {config.paused.length > 0 && (
          <p className="bar-notice" role="status">
            {`The shop has paused: ${config.paused.join(', ')}.`}
          </p>
        )}
        {calls.hostProblem === 'signedOut' && (
          <SignInNotice
            onSignedIn={() => {
              reportHost(null)
              announce('Signed in again.')
              reopen()
              void state.look('click')
            }}
          />
        )}
        <main className="panels">
          <div className="status-line medium centered">
            <p>
              {'The email as your customer sees it. '}
              <span className="requests-note">Requests are on the right.</span>
              <span className="calls-behind">Requests: “Inspector”.</span>
            </p>
            <div role="status">
              {notes.length > 0 && (
                <p key={said.turn} className="toast">
                  {said.text !== '' && <Icon name="tick" />}
                  {notes.join(' ')}
                </p>
              )}
            </div>
          </div>
          <section className="panel inbox-panel" ref={inboxPanel} aria-label="Inbox">
            <Inbox
              open={message}
              read={seen}
              onOpen={open}
              onCustomer={selectCustomer}
              onCode={(code) => {
                // Opens another email, because `choices` has no field for a discount code.
                if (message === 'choices') open('box')
                setPicked({ code })
                show({ panel: 'email' })
              }}
              onAction={(action) => {
                setAdded((before) => [...before.filter(({ id }) => id !== action.id), action])
                // Does not reopen an open email, because this would remove the results of its other buttons.
                if (message === 'choices') show({ panel: 'email' })
                else open('choices')
              }}
            />
          </section>
          <section className="panel email-panel" id="email" ref={emailPanel} tabIndex={-1} aria-label="Email">
            {email === '' ? (
              <EmptyPlace title="No customer selected" text="Enter the email address of a customer in the inbox." />
            ) : (
              <EmailPanel {...{ message, opening, picked }} actions={[...config.actions, ...added]} />
            )}
          </section>
          <section className="panel wire-panel" aria-label="Inspector">
            <WirePanel
              {...{ calls, state, view, hidden }}
              onShow={(change) => show(change, 'replace')}
              onHide={(name, hide) => setHidden([...hidden.filter((one) => one !== name), ...(hide ? [name] : [])])}
            />
          </section>
        </main>
        {isResetOpen && (
          <Question
            title="Reset the test shop?"
            confirm="Yes, reset"
            onConfirm={() => toOutcome(postToHost('reset', {}), 'Not reset')}
            onEnd={async (hasSucceeded) => hasSucceeded && props.onStartOver()}
            onClose={() => setResetOpen(false)}
          >
            <p>This undoes every click and deletes the orders. The API key and the token do not change.</p>
          </Question>
        )}
      </div>
    </ShopProvider>
  )
}
