import { useEffect, useId, useState } from 'react'
import { usePage } from './page-context.ts'
import { Segments } from './parts/controls.tsx'
import { Icon } from './parts/pictures.tsx'
import { Question } from './parts/question.tsx'
import { askHost } from './shop/host.ts'
import { useShop } from './shop/shop-context.ts'
import { capitalize } from './texts.ts'
import { panelNames } from './values/address.ts'
import { daysBetween, formatDay, formatShortDay } from './values/days.ts'

/**
 * The top bar: the shop, the panel switch for narrow screens, the shop menu and the color scheme. `onStartOver` reloads the
 * page content after the shop was reset.
 */
export function TopBar({ onStartOver }: { onStartOver: () => Promise<void> }) {
  const { shop, view, show, calls } = usePage()
  const [isResetOpen, setResetOpen] = useState(false)
  const [isDark, setDark] = useDark()
  // Displayed in the top bar, because the panel with the setting may be hidden.
  const mark = calls.way !== 'once' && (
    <span key="mark" className="twice-mark">
      <span aria-hidden="true">×2</span>
      <span className="unseen">, each click is sent twice</span>
    </span>
  )
  return (
    <>
      <header className="top-bar stack">
        <a
          className="skip"
          href="#email"
          onClick={(event) => {
            // Prevents the link from replacing the view in the URL fragment.
            event.preventDefault()
            document.getElementById('email')?.focus()
          }}
        >
          Skip to the email
        </a>
        <div className="product-name row clip">
          <Icon name="box-mark" size={24} />
          <h1>
            StorePort <span className="soft normal">Playground</span>
          </h1>
          <ShopName />
        </div>
        <Segments
          className="panel-switch segments"
          label="Panels"
          options={panelNames.map((name) => [name, [capitalize(name), name === 'inspector' && mark]])}
          chosen={view.panel}
          onChoose={(panel) => show({ panel })}
        />
        <div className="bar-end row">
          {shop.config.referencePath !== null && (
            <a className="reference-link" href={`.${shop.config.referencePath}`} target="_blank" rel="noopener">
              API<span> reference</span>
            </a>
          )}
          <ShopMenu onReset={() => setResetOpen(true)} />
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
    </>
  )
}

/** The name of the shop and the kind of its data. */
function ShopName() {
  const { shopName, data, baseUrl } = useShop().config
  const about = data === 'test' ? 'Test data' : new URL(baseUrl).host
  return (
    <p className="shop-name row clip">
      <strong className="clip">{shopName}</strong>
      {about !== shopName && <span className="status">{about}</span>}
    </p>
  )
}

/** A button with the shop's date, and a menu that describes the shop. */
function ShopMenu({ onReset }: { onReset: () => void }) {
  const id = useId()
  const { today, demo, shopName, baseUrl, basePath } = useShop().config
  const calendarDay = new Intl.DateTimeFormat('sv').format()
  // Ignores a difference of one day, which a different time zone can cause.
  const isMoved = Math.abs(daysBetween(calendarDay, today)) > 1
  return (
    <>
      <button
        className={isMoved ? 'date-button date-moved' : 'date-button'}
        popoverTarget={id}
        aria-label={`${shopName}, ${formatDay(null, today)}`}
      >
        <Icon name="calendar" size={16} />
        <time dateTime={today}>{formatShortDay(calendarDay, today)}</time>
      </button>
      <div id={id} popover="auto" className="shop-menu card" role="group" aria-label="The shop">
        <ShopName />
        <p className="soft mono">{baseUrl + basePath}</p>
        <section className="stack ruled" aria-label="Shop date">
          <h2 className="section-title">Shop date</h2>
          <p className="large strong">{formatDay(null, today)}</p>
          {isMoved && <p className="soft small">{`The real date is ${formatDay(null, calendarDay)}.`}</p>}
          {demo && <p className="soft small">STOREPORT_TODAY sets another date when the host starts.</p>}
        </section>
        {demo && (
          <div className="stack ruled">
            <button className="small-button" onClick={onReset}>
              Reset the test shop
            </button>
          </div>
        )}
      </div>
    </>
  )
}

const storageKey = 'storeport-scheme'

/** Returns whether the color scheme is dark, and a setter. The user's choice overrides the system setting. */
function useDark(): [isDark: boolean, setDark: (isDark: boolean) => void] {
  const [chosen, setChosen] = useState(() => withStorage((storage) => storage.getItem(storageKey)))
  useEffect(() => {
    if (chosen === null || chosen === undefined) return
    document.documentElement.style.colorScheme = chosen
    withStorage((storage) => storage.setItem(storageKey, chosen))
  }, [chosen])
  const scheme = chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  return [scheme === 'dark', (isDark) => setChosen(isDark ? 'dark' : 'light')]
}

/** Uses the storage of the browser. If it is unavailable, the choice applies only until the page is closed. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}
