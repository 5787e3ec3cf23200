import type { EndpointName } from '@storeport/core'
import { createContext, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { PlaygroundConfig } from '../src/playground-options.ts'
import type { CustomAction, DemoState } from '../src/protocol.ts'
import { askHost, useHostProblem } from './shop/host.ts'
import { createShop } from './shop/shop-context.ts'
import { useCalls } from './shop/use-calls.ts'
import { useLoad } from './shop/use-load.ts'
import { firstView, readView, type View, writeView } from './values/address.ts'
import type { PickedCode } from './widgets/discount-field.tsx'

/** State of the page that the panels share, and the actions that change it. */
export type Page = ReturnType<typeof usePageState>

/** Creates the state of the page. `greeting` is the first message. */
export function usePageState(config: PlaygroundConfig, greeting: string) {
  const calls = useCalls()
  const { callShop, startGroup, lastClick } = calls
  const { view, invalid, show } = useView(config.customers[0]?.email ?? '')
  const { email, message, widget } = view
  /** Message about the last action, and a number that increments with each message. */
  const [said, setSaid] = useState({ text: greeting, turn: 0 })
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), [])
  const [hidden, setHidden] = useState<readonly EndpointName[]>([])
  const [added, setAdded] = useState<readonly CustomAction[]>([])
  /** Discount code that was selected in the inbox, with the email to apply it in. */
  const [picked, setPicked] = useState<(PickedCode & Pick<View, 'email' | 'message'>) | null>(null)
  /** Increments to open the email again. */
  const [opening, setOpening] = useState(0)
  const readState = useCallback(
    () => askHost<DemoState>('./playground/shop', 'The shop data could not be loaded'),
    // Loads the data after each click.
    [lastClick],
  )
  const state = useLoad(config.demo ? readState : null)
  const shop = useMemo(() => {
    const offered = config.offered.filter((name) => !hidden.includes(name))
    const openWidget = (name: string | null) => show({ widget: name }, 'replaceState')
    return createShop({ config, offered, email, callShop, widget, openWidget, announce })
  }, [config, hidden, email, callShop, widget, show, announce])

  // Removes a message about an earlier success, which does not apply while the playground server is unavailable.
  const isHostGone = useHostProblem() !== null
  useEffect(() => {
    if (isHostGone) announce('')
  }, [isHostGone, announce])

  /** Opens an email again, with a message. */
  function refresh(text: string): void {
    startGroup()
    setOpening((before) => before + 1)
    announce(text)
  }
  function open(change: Partial<View>): void {
    refresh('')
    show({ ...change, widget: null })
    setPicked(null)
  }
  function tryCode(code: string): void {
    // Opens another email, because `choices` has no field for a discount code.
    const target = message === 'choices' ? 'box' : message
    if (target !== message) open({ message: target })
    setPicked({ code, message: target, email })
    show({ panel: 'email' })
  }
  function addAction(action: CustomAction): void {
    setAdded((before) => [...before.filter(({ id }) => id !== action.id), action])
    // Does not reopen an open email, because this would remove the results of its other buttons.
    if (message === 'choices') show({ panel: 'email' })
    else open({ message: 'choices', panel: 'email' })
  }
  return {
    ...{ shop, view, invalid, show, calls, state, said, opening, setHidden },
    ...{ refresh, open, tryCode, addAction },
    picked: picked?.message === message && picked.email === email ? picked : null,
    actions: [...config.actions, ...added],
  }
}

/**
 * Returns the view in the URL, which also changes after a back or forward navigation. `show` changes it, with a new
 * history entry or by replacing the current entry.
 */
function useView(firstEmail: string) {
  const first = useMemo(() => firstView(firstEmail), [firstEmail])
  const hash = useSyncExternalStore(listen, () => location.hash)
  const read = useMemo(() => readView(hash, first), [hash, first])
  const show = useCallback(
    (change: Partial<View>, step: 'pushState' | 'replaceState' = 'pushState') => {
      const next = writeView({ ...readView(location.hash, first).view, ...change }, first)
      if (next === location.hash) return
      history[step](null, '', location.pathname + location.search + next)
      // The browser sends this event only after a back or forward navigation.
      dispatchEvent(new PopStateEvent('popstate'))
    },
    [first],
  )
  return { ...read, show }
}

function listen(follow: () => void): () => void {
  addEventListener('popstate', follow)
  return () => removeEventListener('popstate', follow)
}

const Context = createContext<Page | null>(null)

export const PageProvider = Context.Provider

/** Returns the state of the page; throws outside a PageProvider. */
export function usePage(): Page {
  const page = useContext(Context)
  if (page === null) throw new Error('usePage must be called inside a PageProvider.')
  return page
}
