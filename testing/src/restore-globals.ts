import { afterEach, vi } from 'vitest'

// The quick tests share their modules and globals with other files of their worker. Stubs go first: they restore what they replaced, which may be a fake timer.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
