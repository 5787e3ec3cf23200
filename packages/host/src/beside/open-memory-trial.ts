import { addDays, createClock } from '@storeport/rules'
import { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from '@storeport/store-memory'
import type { TrialShop } from '@storeport/store-sql'
import type { Settings } from '../settings/settings.ts'

/** The seed in memory, whose date can be moved; both end with the process. */
export function openMemoryTrial(
  settings: Pick<Settings, 'today' | 'timeZone'>,
  options: MemoryStoreOptions,
): { readonly store: MemoryStore; readonly today: () => Promise<string>; readonly trial: TrialShop } {
  const unmoved = createClock(settings)
  let ahead = 0
  const today = () => addDays(unmoved(), ahead)
  const now = settings.today === undefined ? () => Date.now() + ahead * dayMs : undefined
  const store = createMemoryStore({ ...options, today, now })
  return {
    store,
    today: async () => today(),
    trial: {
      moveDate: async (to) => {
        if (to <= today()) return 'not_later'
        ahead = Math.round((Date.parse(to) - Date.parse(unmoved())) / dayMs)
        // A click of a later day is a click of its own, however soon it comes by the clock.
        store.forgetClicks()
        return 'moved'
      },
      reset: async () => {
        ahead = 0
        store.reset()
        return true
      },
    },
  }
}

const dayMs = 86_400_000
