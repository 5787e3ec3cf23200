import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { hideToken } from './hide-token.ts'

// The cookie has taken its place: it is not to stay in the history, in a bookmark or on a screen that is shown around.
history.replaceState(history.state, '', hideToken(location))

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
