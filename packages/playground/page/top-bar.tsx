import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { PlaygroundConfig } from '../src/protocol.ts'
import { panelNames, type View } from './values/address.ts'
import { Icon } from './parts/icon.tsx'
import { ReferenceLink, ShopName } from './shop-menu.tsx'
import { texts } from './texts/texts.ts'

/** The top bar: the shop, the panel switch for narrow screens, the shop menu and the color scheme. */
export function TopBar(props: {
  config: PlaygroundConfig
  panel: View['panel']
  onPanel: (panel: View['panel']) => void
  /** Whether each click is sent twice. Displayed in the top bar, because the setting may be hidden. */
  isTwice: boolean
  menu: ReactNode
}) {
  const [isDark, setDark] = useDark()
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
        {texts.skip}
      </a>
      <div className="product-name row">
        <Icon name="box-mark" size={24} />
        <h1>
          {texts.product} <span className="soft">{texts.title}</span>
        </h1>
        <ShopName config={props.config} />
      </div>
      <nav className="panel-switch segments" aria-label={texts.panels.label}>
        {panelNames.map((name) => (
          <button
            key={name}
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
      <div className="bar-end row">
        <ReferenceLink config={props.config} />
        {props.menu}
        <button
          className="icon-button"
          aria-label={texts.schemeButton}
          aria-pressed={isDark}
          title={texts.schemeButton}
          onClick={() => setDark(!isDark)}
        >
          <Icon name="scheme" />
        </button>
      </div>
    </header>
  )
}

const storageKey = 'storeport-scheme'
const systemDark = matchMedia('(prefers-color-scheme: dark)')

/** Returns whether the color scheme is dark, and a setter. The user's choice overrides the system setting. */
function useDark(): [isDark: boolean, setDark: (isDark: boolean) => void] {
  const [chosen, setChosen] = useState(readChosen)
  const isSystemDark = useSyncExternalStore(followSystem, () => systemDark.matches)
  useEffect(() => {
    if (chosen !== null) document.documentElement.style.colorScheme = chosen
  }, [chosen])
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

function followSystem(onChange: () => void): () => void {
  systemDark.addEventListener('change', onChange)
  return () => systemDark.removeEventListener('change', onChange)
}

function readChosen(): 'light' | 'dark' | null {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : null
  } catch {
    return null
  }
}
