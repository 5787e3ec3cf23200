import { systemTiming, type Timing } from '../src/timing.ts'

/** A clock that only moves when it is slept on, dice that always show `dice`, and the waits that were asked for. */
export interface FakeTiming extends Timing {
  readonly waits: readonly number[]
}

/** Makes a clock that stands at `start` and never really sleeps; the timer of an attempt is the real one. */
export function fakeTiming({ start = 0, dice = 0 } = {}): FakeTiming {
  const waits: number[] = []
  let now = start
  return {
    waits,
    now: () => now,
    random: () => dice,
    startTimer: systemTiming.startTimer,
    sleep: async (ms) => {
      waits.push(ms)
      now += ms
    },
  }
}
