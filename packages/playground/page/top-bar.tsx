import type { ReactNode } from 'react'
import type { PlaygroundConfig } from '../src/protocol.ts'
import { type PanelName, panelNames } from './panel-name.ts'
import { useScheme } from './scheme.ts'
import { texts } from './texts.ts'
import { ReferenceLink, ShopName } from './time/shop-menu.tsx'

/** What shop it is, the panels to switch between on narrow screens, the shop's date and the colour scheme. */
export function TopBar(props: {
  config: PlaygroundConfig
  panel: PanelName
  onPanel: (panel: PanelName) => void
  /** Whether each click arrives twice, which is to be seen where the switch is not. */
  isTwice: boolean
  menu: ReactNode
}) {
  const { scheme, choose } = useScheme()
  return (
    <header className="top-bar">
      <a
        className="skip"
        href="#email"
        onClick={(event) => {
          // The fragment of the address says what is shown.
          event.preventDefault()
          document.getElementById('email')?.focus()
        }}
      >
        {texts.skip}
      </a>
      <div className="product-name">
        <BoxMark />
        <h1>
          {texts.product} <span className="soft">{texts.title}</span>
        </h1>
        <ShopName config={props.config} />
      </div>
      <nav className="panel-switch segments" aria-label={texts.panels.label}>
        {panelNames.map((name) => (
          <button
            key={name}
            type="button"
            className={`to-${name}`}
            aria-current={name === props.panel}
            onClick={() => props.onPanel(name)}
          >
            {texts.panels[name]}
            {name === 'wire' && props.isTwice && (
              <span className="twice-mark">
                <span aria-hidden="true">{texts.twice.mark}</span>
                <span className="unseen">, {texts.twice.markLabel}</span>
              </span>
            )}
          </button>
        ))}
      </nav>
      <div className="bar-end">
        <ReferenceLink config={props.config} />
        {props.menu}
        <button
          type="button"
          className="icon-button"
          aria-label={texts.schemeButton}
          aria-pressed={scheme === 'dark'}
          title={texts.schemeButton}
          onClick={() => choose(scheme === 'dark' ? 'light' : 'dark')}
        >
          <SchemeIcon />
        </button>
      </div>
    </header>
  )
}

function BoxMark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#2f5d4a" />
      <path d="M7 13h18v10a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2z" fill="#f3e7d8" />
      <path d="M5.500 13 9 7h14l3.500 6z" fill="#c9a77c" />
      <path d="M14 13h4v12h-4z" fill="#c9a77c" />
    </svg>
  )
}

function SchemeIcon() {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <circle cx="10" cy="10" r="6.500" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M10 3.500a6.500 6.500 0 0 1 0 13z" fill="currentColor" />
    </svg>
  )
}
