import { useEffect, useState } from 'react'

/** Light or dark. */
export type Scheme = 'light' | 'dark'

const storageKey = 'storeport-scheme'

/** The colour scheme: the system's until a person chooses, then theirs. */
export function useScheme(): { scheme: Scheme; choose: (scheme: Scheme) => void } {
  const [chosen, setChosen] = useState<Scheme | null>(readKeptScheme)
  const [system, setSystem] = useState<Scheme>(readSystemScheme)

  useEffect(() => {
    const query = darkQuery()
    const follow = () => setSystem(readSystemScheme())
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  useEffect(() => {
    if (chosen === null) delete document.documentElement.dataset['scheme']
    else document.documentElement.dataset['scheme'] = chosen
  }, [chosen])

  return {
    scheme: chosen ?? system,
    choose(scheme) {
      setChosen(scheme)
      keep(scheme)
    },
  }
}

function darkQuery(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}

function readSystemScheme(): Scheme {
  return darkQuery().matches ? 'dark' : 'light'
}

/** A browser may refuse to keep anything; then the choice lasts until the page is closed. */
function readKeptScheme(): Scheme | null {
  try {
    const kept = localStorage.getItem(storageKey)
    return kept === 'light' || kept === 'dark' ? kept : null
  } catch {
    return null
  }
}

function keep(scheme: Scheme): void {
  try {
    localStorage.setItem(storageKey, scheme)
  } catch {
    return
  }
}
