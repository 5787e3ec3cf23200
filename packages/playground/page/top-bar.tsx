import { type ReactNode, useEffect, useState } from 'react'
import type { PlaygroundConfig } from '../src/protocol.ts'
import { panelNames, type View } from './values/address.ts'
import { Icon } from './parts/pictures.tsx'
import { Segments } from './parts/segments.tsx'
import { ReferenceLink, ShopName } from './shop-menu.tsx'

/** The top bar: the shop, the panel switch for narrow screens, the shop menu and the color scheme. */
export function TopBar(props: {
  config: PlaygroundConfig
  panel: View['panel']
  onPanel: (panel: View['panel']) => void
  /** Whether each click is sent twice. Displayed in the top bar, because the panel with the setting may be hidden. */
  isTwice: boolean
  menu: ReactNode
}) {
  const [isDark, setDark] = useDark()
  const mark = (
    <span className="twice-mark">
      <span aria-hidden="true">×2</span>
      <span className="unseen">, each click is sent twice</span>
    </span>
  )
  return (
    <header className="top-bar">
      <a
        className="skip"
        href="#email"
        onClick={(event) => {
          // Prevents the link from replacing the URL fragment, which contains the view.
          event.preventDefault()
          document.getElementById('email')?.focus()
        }}
      >
        Skip to the email
      </a>
      <div className="product-name row">
        <Icon name="box-mark" size={24} />
        <h1>
          StorePort <span className="soft">Playground</span>
        </h1>
        <ShopName config={props.config} />
      </div>
      <Segments
        className="panel-switch segments"
        label="Panels"
        names={panelNames}
        titles={{
          inbox: 'Inbox',
          email: 'Email',
          wire: ['Inspector', props.isTwice && <span key="mark">{mark}</span>],
        }}
        chosen={props.panel}
        onChoose={props.onPanel}
      />
      <div className="bar-end row">
        <ReferenceLink config={props.config} />
        {props.menu}
        <button
          className="icon-button"
          aria-label="Dark mode"
          aria-pressed={isDark}
          title="Dark mode"
          onClick={() => setDark(!isDark)}
        >
          <Icon name="scheme" />
        </button>
      </div>
    </header>
  )
}

const storageKey = 'storeport-scheme'

/** Returns whether the color scheme is dark, and a setter. The user's choice overrides the system setting. */
function useDark(): [isDark: boolean, setDark: (isDark: boolean) => void] {
  const [chosen, setChosen] = useState(readChosen)
  useEffect(() => {
    if (chosen !== null) document.documentElement.style.colorScheme = chosen
  }, [chosen])
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches
  return [
    chosen === null ? isSystemDark : chosen === 'dark',
    (isDark) => {
      const scheme = isDark ? 'dark' : 'light'
      setChosen(scheme)
      try {
        localStorage.setItem(storageKey, scheme)
      } catch {
        // Storage is unavailable, so the choice applies only until the page is closed.
      }
    },
  ]
}

function readChosen(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
