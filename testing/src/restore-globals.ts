import { afterAll, vi } from 'vitest'

/** A setup file for test files that share a process: a later file sees no fake timer, mock or stub of an earlier file. */
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
