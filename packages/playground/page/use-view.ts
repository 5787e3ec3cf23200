import { useCallback, useEffect, useRef, useState } from 'react'
import { firstView, type ReadView, readView, type View, writeView } from './values/address.ts'

/** The view of the page, kept in its address. */
export interface KeptView {
  readonly view: View
  /** What the address named when it was last read; `null` after somebody has hidden what there was to say of it. */
  readonly linked: ReadView | null
  /** Shows something else: as a step that the back button goes back from, or in the place of the last one. */
  readonly show: (change: Partial<View>, step?: 'push' | 'replace') => void
  /** Grows when the address was followed: at the start, and when a person goes back or forward. */
  readonly followed: number
  readonly forgetLink: () => void
}

/** Keeps what is shown in the address of the page, and follows the address when a person goes back or forward. */
export function useView(firstEmail: string): KeptView {
  const [first] = useState(() => firstView(firstEmail))
  const [read, setRead] = useState<Pick<KeptView, 'view' | 'linked' | 'followed'>>(() => {
    const linked = readView(location.hash, first)
    return { view: linked.view, linked, followed: 0 }
  })
  const current = useRef(read.view)

  useEffect(() => {
    const follow = () => {
      const linked = readView(location.hash, first)
      current.current = linked.view
      setRead(({ followed }) => ({ view: linked.view, linked, followed: followed + 1 }))
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [first])

  const show = useCallback(
    (change: Partial<View>, step: 'push' | 'replace' = 'push') => {
      const view = { ...current.current, ...change }
      const hash = writeView(location.hash, view, first)
      current.current = view
      setRead((before) => ({ ...before, view }))
      if (hash === location.hash) return
      const address = location.pathname + location.search + hash
      if (step === 'push') history.pushState(null, '', address)
      else history.replaceState(history.state, '', address)
    },
    [first],
  )
  const forgetLink = useCallback(() => setRead((before) => ({ ...before, linked: null })), [])
  return { ...read, show, forgetLink }
}
