import { useCallback, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { PlaygroundConfig } from '../src/protocol.ts'
import { hideToken } from './values/address.ts'
import { getFromHost, hostMessage } from './shop/host.ts'
import { useSlow } from './shop/use-read.ts'
import { Workbench } from './workbench.tsx'

type Start =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly config: PlaygroundConfig; readonly turn: number }
  | { readonly state: 'failed'; readonly title: string; readonly text: readonly string[] }

/** Loads the configuration and renders the page. */
function App() {
  const [start, setStart] = useState<Start>({ state: 'loading' })
  const slow = useSlow(start.state === 'loading')
  const load = useCallback(async () => {
    setStart({ state: 'loading' })
    setStart(await ask())
  }, [])
  useEffect(() => void load(), [load])

  /** Loads the configuration again and renders the page in its initial state. */
  async function startOver(): Promise<void> {
    history.pushState(null, '', location.pathname + location.search)
    const next = await ask()
    setStart((before) =>
      next.state === 'ready' && before.state === 'ready' ? { ...next, turn: before.turn + 1 } : next,
    )
  }

  if (start.state === 'ready') {
    return (
      <Workbench
        key={start.turn}
        config={start.config}
        greeting={start.turn === 0 ? '' : 'The test shop was reset.'}
        onStartOver={startOver}
      />
    )
  }
  if (start.state === 'loading') {
    return (
      <main className="start empty-place centered">
        <p className="soft" role="status">
          {slow ? 'Discovering the shop’s endpoints. The shop is slow to respond.' : 'Loading'}
        </p>
      </main>
    )
  }
  return (
    <main className="start empty-place centered">
      <h1>{start.title}</h1>
      {start.text.map((line) => (
        <p key={line} className="soft">
          {line}
        </p>
      ))}
      <button className="main-button" onClick={load}>
        Try again
      </button>
    </main>
  )
}

async function ask(): Promise<Start> {
  try {
    const config = await getFromHost<PlaygroundConfig>('config')
    if (config.problem === null) return { state: 'ready', config, turn: 0 }
    return {
      state: 'failed',
      title: 'Could not discover the shop’s endpoints',
      text: [config.baseUrl + config.basePath, config.problem, 'The playground can start when the shop responds.'],
    }
  } catch (error) {
    return {
      state: 'failed',
      title: 'The playground cannot start',
      text: [hostMessage(error, 'Configuration not loaded')],
    }
  }
}

// Removes the token from the history, bookmarks and shared screens. The cookie replaces the token.
history.replaceState(history.state, '', hideToken(location.href))

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
