import type { EndpointName } from '@storeport/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { PlaygroundConfig } from '../src/describe-playground.ts'
import type { CustomAction, DemoState } from '../src/protocol.ts'
import { askHost, useHostProblem } from './shop/host.ts'
import { createRequiredContext, createShop } from './shop/shop-context.ts'
import { useCalls } from './shop/use-calls.ts'
import { useLoad } from './shop/use-load.ts'
import { readView, type View, writeView } from './values/address.ts'

/** State of the page that the panels share, and the actions that change it. */
type Page = ReturnType<typeof usePageState>

/** Creates the state of the page. `greeting` is the first message. */
export function usePageState(config: PlaygroundConfig, greeting: string) {
  const calls = useCalls()
  const firstEmail = config.customers[0]?.email ?? ''
  const hash = useSyncExternalStore(listen, () => location.hash)
  const { view, invalid } = readView(hash, firstEmail)
  const { email, message, widget } = view
  /** Message about the last action, and a number that increments with each message. */
  const [said, setSaid] = useState({ text: greeting, turn: 0 })
  const [hidden, setHidden] = useState<readonly EndpointName[]>([])
  const [added, setAdded] = useState<readonly CustomAction[]>([])
  /** Discount code that was selected in the inbox, with the email to apply it in. */
  const [picked, setPicked] = useState({ code: '', email, message })
  /** Increments to open the email again. */
  const [opening, setOpening] = useState(0)
  const readState = () => askHost<DemoState>('./playground/shop', 'The shop data could not be loaded')
  // Loads the data after each click.
  const state = useLoad(config.demo ? readState : null, [calls.lastClick])

  // Removes a message about an earlier success, which does not apply while the playground server is unavailable.
  const isHostGone = useHostProblem() !== null
  useEffect(() => {
    if (isHostGone) announce('')
  }, [isHostGone])

  function announce(text: string): void {
    setSaid(({ turn }) => ({ text, turn: turn + 1 }))
  }
  /** Changes the view in the URL, with a new history entry or by replacing the current entry. */
  function show(change: Partial<View>, step: 'pushState' | 'replaceState' = 'pushState'): void {
    const next = writeView({ ...readView(location.hash, firstEmail).view, ...change }, firstEmail)
    if (next === location.hash) return
    history[step](null, '', location.pathname + location.search + next)
    // The browser sends this event only after a back or forward navigation.
    dispatchEvent(new PopStateEvent('popstate'))
  }
  /** Opens an email again, with a message. */
  function refresh(text: string): void {
    calls.startGroup()
    setOpening((before) => before + 1)
    announce(text)
  }
  function open(change: Partial<View>): void {
    refresh('')
    show({ ...change, widget: null })
    setPicked((before) => ({ ...before, code: '' }))
  }
  function tryCode(code: string): void {
    // Opens another email, because `choices` has no field for a discount code.
    const target = message === 'choices' ? 'box' : message
    if (target !== message) open({ message: target })
    setPicked({ code, email, message: target })
    show({ panel: 'email' })
  }
  function addAction(id: string): void {
    setAdded((before) => [...before.filter((action) => action.id !== id), { id }])
    // Does not reopen an open email, because this would remove the results of its other buttons.
    if (message === 'choices') show({ panel: 'email' })
    else open({ message: 'choices', panel: 'email' })
  }
  const offered = config.offered.filter((name) => !hidden.includes(name))
  const openWidget = (name: string | null) => show({ widget: name }, 'replaceState')
  const isPicked = picked.code !== '' && picked.message === message && picked.email === email
  return {
    shop: createShop({
      config: { ...config, actions: [...config.actions, ...added] },
      ...{ offered, email, message, opening, callShop: calls.callShop, widget, openWidget, announce },
      picked: isPicked ? picked : null,
    }),
    ...{ view, invalid, show, calls, state, said, setHidden, refresh, open, tryCode, addAction },
  }
}

function listen(follow: () => void): () => void {
  addEventListener('popstate', follow)
  return () => removeEventListener('popstate', follow)
}

/** The state of the page. */
export const [PageProvider, usePage] = createRequiredContext<Page>()
