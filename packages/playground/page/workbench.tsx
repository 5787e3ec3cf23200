import { useEffect, useRef } from 'react'
import type { PlaygroundConfig } from '../src/describe-playground.ts'
import { EmailPanel } from './email/email-panel.tsx'
import { Inbox } from './email/inbox.tsx'
import { HostNotice } from './host-notice.tsx'
import { PageProvider, usePageState } from './page-context.ts'
import { EmptyPlace } from './parts/notice.tsx'
import { Icon } from './parts/pictures.tsx'
import { ShopProvider } from './shop/shop-context.ts'
import { texts } from './texts.ts'
import { TopBar } from './top-bar.tsx'
import { InspectorPanel } from './inspector/inspector-panel.tsx'

/** The page with its panels: inbox, email and inspector. */
export function Workbench(props: {
  config: PlaygroundConfig
  /** Message to display at the start. */
  greeting: string
  /** Reloads the page content after the shop was reset. */
  onStartOver: () => Promise<void>
}) {
  const { config, greeting } = props
  const page = usePageState(config, greeting)
  const { shop, view, invalid, said } = page
  const { email, opening } = shop
  const inboxPanel = useRef<HTMLElement>(null)
  const emailPanel = useRef<HTMLElement>(null)
  useEffect(() => {
    emailPanel.current?.scrollTo(0, 0)
    // Moves the focus to the email on a narrow screen, because the inbox with the clicked element is hidden.
    const inboxIsGone = opening > 0 && inboxPanel.current?.checkVisibility() === false
    if (inboxIsGone) emailPanel.current?.querySelector<HTMLElement>('h2')?.focus()
  }, [opening, email])
  useEffect(() => {
    // Focuses the email, because the focused element was removed with the previous page content.
    if (greeting !== '') emailPanel.current?.focus()
  }, [])
  const notes = said.text === '' ? invalid.map((part) => texts.invalid[part]) : [said.text]

  return (
    <PageProvider value={page}>
      <ShopProvider value={shop}>
        <div className="workbench" data-panel={view.panel}>
          <TopBar onStartOver={props.onStartOver} />
          {config.paused.length > 0 && (
            <p className="bar-notice centered" role="status">
              {`The shop has paused: ${config.paused.join(', ')}.`}
            </p>
          )}
          <HostNotice />
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
              <Inbox />
            </section>
            <section className="panel email-panel" id="email" ref={emailPanel} tabIndex={-1} aria-label="Email">
              {email === '' ? (
                <EmptyPlace title="No customer selected" text="Enter the email address of a customer in the inbox." />
              ) : (
                <EmailPanel />
              )}
            </section>
            <section className="panel inspector-panel" aria-label="Inspector">
              <InspectorPanel />
            </section>
          </main>
        </div>
      </ShopProvider>
    </PageProvider>
  )
}
