import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { firstView, type ReadView, readView, type View, writeView } from './values/address.ts'

/** Changes the view in the URL, with a new history entry or by replacing the current entry. */
export type ShowView = (change: Partial<View>, step?: 'pushState' | 'replaceState') => void

/** Returns the view in the URL, which also changes after a back or forward navigation. */
export function useView(firstEmail: string): ReadView & { readonly show: ShowView } {
  const first = useMemo(() => firstView(firstEmail), [firstEmail])
  const hash = useSyncExternalStore(listen, () => location.hash)
  const read = useMemo(() => readView(hash, first), [hash, first])
  const show: ShowView = useCallback(
    (change, step = 'pushState') => {
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
