import { setMaxListeners } from 'node:events'
import { CheckSkip } from './check-skip.ts'

/** What a check that takes too long ends with. */
export class CheckTimeUp extends Error {
  override readonly name = 'CheckTimeUp'
}

/** The reason of the checks that a stopped run does not make. */
export const wasStopped = 'the run was stopped before'

/** What ends a check that does not end by itself. */
export interface CheckLimit {
  /** Fires when the check must end; its reason is what the check then ends with. */
  readonly signal: AbortSignal
  /** Ends what the check has still going on; called when it is over. */
  end(): void
}

/** Limits one check: by its time, and by the run that it is part of. */
export function createLimit(options: {
  readonly checkTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}): CheckLimit {
  const { checkTimeoutMs = 120_000, signal: run } = options
  const controller = new AbortController()
  // Each call that is going on listens, and some checks make many at once.
  setMaxListeners(0, controller.signal)
  const timer = setTimeout(() => {
    controller.abort(new CheckTimeUp(`more calls to make after ${Math.round(checkTimeoutMs / 1000)} s`))
  }, checkTimeoutMs)
  const stop = () => controller.abort(new CheckSkip(wasStopped, false))
  run?.addEventListener('abort', stop)
  if (run?.aborted === true) stop()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      run?.removeEventListener('abort', stop)
      controller.abort(new CheckSkip('the check is over', false))
    },
  }
}
