import { type EndpointName, minorUnitDigits, widgetsFor } from '@storeport/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PlaygroundConfig } from '../src/playground-options.ts'
import type { CustomAction, DemoState } from '../src/protocol.ts'
import { EmailPanel } from './email/email-panel.tsx'
import { Inbox } from './email/inbox.tsx'
import { HostNotice } from './host-notice.tsx'
import { EmptyPlace } from './parts/notice.tsx'
import { Icon } from './parts/pictures.tsx'
import { Question } from './parts/question.tsx'
import { askHost, useHostProblem } from './shop/host.ts'
import { type ShopContext, ShopProvider } from './shop/shop-context.ts'
import { useCalls } from './shop/use-calls.ts'
import { useLoad } from './shop/use-load.ts'
import { texts } from './texts.ts'
import { TopBar } from './top-bar.tsx'
import { useView } from './use-view.ts'
import type { MessageName } from './values/address.ts'
import { createMoneyFormat } from './values/amounts.ts'
import type { PickedCode } from './widgets/discount-field.tsx'
import { WirePanel } from './wire/wire-panel.tsx'

/** The page with its panels: inbox, email and inspector. */
export function Workbench({
  config,
  greeting,
  onStartOver,
}: {
  config: PlaygroundConfig
  /** Message to display at the start. */
  greeting: string
  /** Reloads the page content after the shop was reset. */
  onStartOver: () => Promise<void>
}) {
  const calls = useCalls()
  const { callShop, lastClick } = calls
  const { view, invalid, followed, show } = useView(config.customers[0]?.email ?? '')
  const { email, message, panel, widget } = view
  /** Message about the last action, and a number that increments with each message. */
  const [said, setSaid] = useState({ text: greeting, turn: 0 })
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), [])
  const [seen, setSeen] = useState<ReadonlySet<MessageName>>(new Set())
  const [hidden, setHidden] = useState<readonly EndpointName[]>([])
  const [picked, setPicked] = useState<PickedCode | null>(null)
  const [added, setAdded] = useState<readonly CustomAction[]>([])
  const [isResetOpen, setResetOpen] = useState(false)
  /** Increments to open the email again. */
  const [opening, setOpening] = useState(0)
  const readState = useCallback(
    () => askHost<DemoState>('./playground/shop', 'The shop data could not be loaded'),
    // Loads the data after each click.
    [lastClick],
  )
  const state = useLoad(config.demo ? readState : null)
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
  const isHostGone = useHostProblem() !== null
  useEffect(() => {
    if (isHostGone) announce('')
  }, [isHostGone, announce])
  useEffect(() => setSeen((before) => new Set([...before, message])), [message])
  // Clears the selected code after a navigation, because the code applies only to the email that was open.
  useEffect(() => setPicked(null), [followed])
  useEffect(() => {
    // Focuses the email, because the focused element was removed with the previous page content.
    if (greeting !== '') emailPanel.current?.focus()
  }, [greeting])

  function reopen(change: Parameters<typeof show>[0]): void {
    calls.startGroup()
    show({ ...change, widget: null })
    setPicked(null)
    announce('')
  }
  function open(name: MessageName): void {
    reopen({ message: name, panel: 'email' })
    setOpening((before) => before + 1)
  }
  function tryCode(code: string): void {
    // Opens another email, because `choices` has no field for a discount code.
    if (message === 'choices') open('box')
    setPicked({ code })
    show({ panel: 'email' })
  }
  function addAction(action: CustomAction): void {
    setAdded((before) => [...before.filter(({ id }) => id !== action.id), action])
    // Does not reopen an open email, because this would remove the results of its other buttons.
    if (message === 'choices') show({ panel: 'email' })
    else open('choices')
  }
  const notes = said.text === '' ? invalid.map((part) => texts.invalid[part]) : [said.text]

  return (
    <ShopProvider value={shop}>
      <div className="workbench" data-panel={panel}>
        <TopBar
          {...{ config, panel }}
          onPanel={(name) => show({ panel: name })}
          isTwice={calls.way !== 'once'}
          onReset={() => setResetOpen(true)}
        />
        {config.paused.length > 0 && (
          <p className="bar-notice" role="status">
            {`The shop has paused: ${config.paused.join(', ')}.`}
          </p>
        )}
        <HostNotice
          onSignedIn={() => {
            calls.startGroup()
            setOpening((before) => before + 1)
            announce('Signed in again.')
            void state.reload()
          }}
        />
        <main className="panels">
          <div className="status-line medium centered">
            <p>
              {'The email as your customer sees it. '}
              <span className="requests-note">Requests are on the right.</span>
              <span className="calls-behind">Requests: see Inspector.</span>
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
              onCustomer={(customer) => reopen({ email: customer })}
              onCode={tryCode}
              onAction={addAction}
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
              {...{ calls, state, hidden }}
              tab={view.tab}
              onTab={(tab) => show({ tab }, 'replace')}
              onHide={(name, hide) => setHidden([...hidden.filter((one) => one !== name), ...(hide ? [name] : [])])}
            />
          </section>
        </main>
        {isResetOpen && (
          <Question
            title="Reset the test shop?"
            confirm="Yes, reset"
            onConfirm={() => askHost('./playground/reset', 'Not reset', {})}
            onEnd={async (hasSucceeded) => hasSucceeded && onStartOver()}
            onClose={() => setResetOpen(false)}
          >
            <p>This undoes every click and deletes the orders. The API key and the token do not change.</p>
          </Question>
        )}
      </div>
    </ShopProvider>
  )
}
