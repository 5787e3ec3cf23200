import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { PlaygroundConfig } from '../src/describe-playground.ts'
import { hideToken } from './values/address.ts'
import { askHost } from './shop/host.ts'
import { useLoad } from './shop/use-load.ts'
import { Workbench } from './workbench.tsx'

/** Loads the configuration and renders the page. */
function App() {
  const load = () => askHost<PlaygroundConfig>('./playground/config', 'Configuration not loaded')
  const { data: config, failure, busy, slow, reload } = useLoad(load)
  const [turn, setTurn] = useState(0)

  /** Loads the configuration again and renders the page in its initial state. */
  async function startOver(): Promise<void> {
    history.pushState(null, '', location.pathname + location.search)
    await reload()
    setTurn((before) => before + 1)
  }

  if (config?.problem === null && failure === null) {
    const greeting = turn === 0 ? '' : 'The test shop was reset.'
    return <Workbench key={turn} {...{ config, greeting }} onStartOver={startOver} />
  }
  const isShop = config !== null && failure === null
  const texts = isShop
    ? [config.baseUrl + config.basePath, config.problem, 'The playground can start when the shop responds.']
    : [failure?.message]
  return (
    <main className="start stack empty-place centered">
      {busy ? (
        <p className="soft" role="status">
          {slow ? 'Discovering the shop’s endpoints. The shop is slow to respond.' : 'Loading'}
        </p>
      ) : (
        <>
          <h1>{isShop ? 'Could not discover the shop’s endpoints' : 'The playground cannot start'}</h1>
          {texts.map((text) => (
            <p key={text} className="soft">
              {text}
            </p>
          ))}
          <button className="main-button" onClick={reload}>
            Try again
          </button>
        </>
      )}
    </main>
  )
}

// Removes the token from the history, bookmarks and shared screens. The cookie replaces the token.
history.replaceState(history.state, '', hideToken(location.href))

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
