import { afterEach, vi } from 'vitest'

// The quick tests share their modules and globals with other files of their worker. A stub may stand before a fake timer.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
