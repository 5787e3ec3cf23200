import type { Check } from '../engine/check.ts'
import { type Clock, createPause, type Pause } from '../engine/options.ts'
import type { CheckResult } from './run-check.ts'

/** A check that waits. */
interface Waiting {
  readonly at: number
  readonly latest: number
  resume(): void
}

/**
 * Creates the timed checks of one run, which wait while other checks run. Only one check is active at any time. `signal`
 * aborts at the end of the run.
 */
export function createTimedChecks(clock: Clock, signal: AbortSignal) {
  const begun = new Map<Check, Promise<CheckResult>>()
  const ended = new Set<Check>()
  const waiting = new Set<Waiting>()
  /** Called when the active timed check waits or ends. */
  let yieldTurn = () => {}
  /** Number of changes by other checks that the shop accepted. */
  let changes = 0
  /** Duration of the longest check that did not wait, in milliseconds. */
  let longestMs = 0
  /** Time at the end of the last `catchUp`. */
  let caughtUp = clock.now()

  /** Continues a check until it waits or ends. */
  async function takeTurn(go: () => void): Promise<void> {
    const turn = new Promise<void>((resolve) => (yieldTurn = resolve))
    go()
    await turn
  }

  function next(): Waiting | undefined {
    return [...waiting].toSorted((one, other) => one.at - other.at)[0]
  }

  /** Waits until `resume` continues the check. */
  function share(at: number, latest: number, own: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const one = { at, latest, resume: resolve }
      waiting.add(one)
      own.addEventListener('abort', () => {
        waiting.delete(one)
        reject(own.reason)
      })
      yieldTurn()
    })
  }

  /** Creates the `pause` of one check. */
  function createSharedPause(): Pause {
    const pauseAlone = createPause(clock)
    let isShared = true
    return async (at, latest, own) => {
      if (!isShared) return pauseAlone(at, latest, own)
      const before = changes
      await share(at, latest, own)
      isShared = latest === Infinity || (clock.now() <= latest && changes === before)
      return isShared
    }
  }

  async function resume(one: Waiting): Promise<void> {
    await clock.sleep(Math.max(0, one.at - clock.now()), signal)
    if (waiting.delete(one)) await takeTurn(() => one.resume())
  }

  return {
    /** Records that the shop accepted a change by another check. */
    countChange: () => void changes++,
    /** Runs a check until it waits or ends. */
    begin(check: Check, run: (pause: Pause) => Promise<CheckResult>): Promise<void> {
      return takeTurn(() => {
        const result = run(createSharedPause())
        begun.set(check, result)
        void result.then(() => {
          ended.add(check)
          yieldTurn()
        })
      })
    },
    /** Called before each check. Continues each check that is due, or that the next check could delay too much. */
    async catchUp(): Promise<void> {
      longestMs = Math.max(longestMs, clock.now() - caughtUp)
      for (let one = next(); one !== undefined; one = next()) {
        if (Math.min(one.at, one.latest - longestMs) > clock.now()) break
        await resume(one)
      }
      caughtUp = clock.now()
    },
    /**
     * Waits for the end of a check, and of the pauses that a change by another check would prevent. Returns `undefined` if
     * the check has not begun.
     */
    async finish(check: Check): Promise<CheckResult | undefined> {
      const isOpen = () => !ended.has(check) || [...waiting].some(({ latest }) => latest < Infinity)
      for (let one = next(); one !== undefined && begun.has(check) && isOpen(); one = next()) await resume(one)
      const result = await begun.get(check)
      if (result !== undefined) caughtUp = clock.now()
      return result
    },
  }
}
