import { setMaxListeners } from 'node:events'

/** A check cannot be made here. */
export class CheckSkip extends Error {
  override readonly name: string = 'CheckSkip'
  /** Whether earlier calls used up what the check needs, which a fresh server would have. */
  readonly spent: boolean
  /** The place in the profile that names nothing, such as `customers.subscribed`. */
  readonly lacks: string | undefined

  constructor(reason: string, spent: boolean, lacks?: string) {
    super(reason)
    this.spent = spent
    this.lacks = lacks
  }
}

/** The shop counts calls, and the run does not wait. */
export class CheckPause extends CheckSkip {
  override readonly name = 'CheckPause'
  /** How long the shop wants the next call to wait. */
  readonly seconds: number

  constructor(seconds: number) {
    super(`the shop counts calls and wants a pause of ${seconds} s`, false)
    this.seconds = seconds
  }
}

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
