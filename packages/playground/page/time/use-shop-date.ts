import { useState } from 'react'
import type { MovedDate, PlaygroundConfig, TimeStep } from '../../src/protocol.ts'
import { sayDayFrom } from '../days.ts'
import { fetchMove, fetchReset, HostError } from '../shop/host.ts'
import { texts } from '../texts.ts'

/** The shop's date, and the ways to change it; each answers why it did not work, or `null`. */
export interface ShopDate {
  readonly today: string
  readonly move: (to: TimeStep, email: string) => Promise<{ readonly problem: string | null; readonly said: string }>
  readonly reset: () => Promise<string | null>
}

/** Keeps the shop's date as the host says it. */
export function useShopDate(config: PlaygroundConfig, noteHost: (error: unknown) => void): ShopDate {
  const [today, setToday] = useState(config.today)

  async function ask(act: () => Promise<MovedDate>, words: typeof texts.time | typeof texts.reset) {
    try {
      const moved = await act()
      noteHost(null)
      return { moved, problem: null }
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      noteHost(error)
      return { moved: null, problem: error.offline ? words.offline : words.failed(error.message) }
    }
  }
  return {
    today,
    async move(to, email) {
      const { moved, problem } = await ask(() => fetchMove({ to, email }), texts.time)
      if (moved === null) return { problem, said: '' }
      setToday(moved.today)
      return { problem: null, said: texts.time.done(sayDayFrom(today, moved.today), moved.billed) }
    },
    async reset() {
      return (await ask(fetchReset, texts.reset)).problem
    },
  }
}
