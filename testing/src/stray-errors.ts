import { onTestFinished } from 'vitest'

/** Collects unhandled rejections and uncaught exceptions during the test. */
export function collectStrayErrors(): unknown[] {
  const errors: unknown[] = []
  const note = (error: unknown) => errors.push(error)
  process.on('unhandledRejection', note)
  process.on('uncaughtExceptionMonitor', note)
  onTestFinished(() => {
    process.off('unhandledRejection', note)
    process.off('uncaughtExceptionMonitor', note)
  })
  return errors
}
