import { useCallback, useEffect, useRef, useState } from 'react'
import { firstView, type ReadView, readView, type View, writeView } from './values/address.ts'

/** The view of the page, synchronized with the URL. */
export interface UrlView extends ReadView {
  /** Changes the view, with a new history entry or by replacing the current entry. */
  readonly show: (change: Partial<View>, step?: 'push' | 'replace') => void
  /** Increments after each back or forward navigation. */
  readonly followed: number
}

/** Writes the view to the URL, and updates the view after a back or forward navigation. */
export function useView(firstEmail: string): UrlView {
  const [first] = useState(() => firstView(firstEmail))
  const [read, setRead] = useState(() => ({ ...readView(location.hash, first), followed: 0 }))
  const current = useRef(read.view)

  useEffect(() => {
    const follow = () => {
      const linked = readView(location.hash, first)
      current.current = linked.view
      setRead(({ followed }) => ({ ...linked, followed: followed + 1 }))
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [first])

  const show = useCallback(
    (change: Partial<View>, step: 'push' | 'replace' = 'push') => {
      const view = { ...current.current, ...change }
      const hash = writeView(view, first)
      current.current = view
      setRead((before) => ({ ...before, view, invalid: [] }))
      if (hash === location.hash) return
      const address = location.pathname + location.search + hash
      if (step === 'push') history.pushState(null, '', address)
      else history.replaceState(history.state, '', address)
    },
    [first],
  )
  return { ...read, show }
}
