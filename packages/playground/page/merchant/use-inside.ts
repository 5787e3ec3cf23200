import { useCallback, useEffect, useRef, useState } from 'react'
import type { ShopInside } from '../../src/protocol.ts'
import { fetchInside, HostError } from '../shop/host.ts'
import type { LastClick } from '../shop/use-calls.ts'
import { texts } from '../texts.ts'
import { type Changes, countChanges } from './count-changes.ts'

/** Why the page looks again. */
export type LookCause = 'click' | 'twice' | 'date' | 'checks'

/** What the shop has, as the page last looked. */
export interface Inside {
  readonly shop: ShopInside | null
  /** What changed since the look before, and what it came of; `null` at first. */
  readonly changes: (Changes & { readonly since: LookCause }) | null
  /** Why the host could not tell. */
  readonly problem: string | null
  readonly look: (cause: LookCause) => Promise<void>
}

/** Looks into the shop at once and again after each click, where the host lets it. */
export function useInside(offered: boolean, lastClick: LastClick, noteHost: (error: unknown) => void): Inside {
  const [inside, setInside] = useState<Omit<Inside, 'look'>>({ shop: null, changes: null, problem: null })
  const latest = useRef(0)

  const look = useCallback(
    async (since: LookCause) => {
      if (!offered) return
      const turn = ++latest.current
      try {
        const shop = await fetchInside()
        noteHost(null)
        if (turn !== latest.current) return
        setInside((before) => {
          const changes = before.shop === null ? null : { ...countChanges(before.shop, shop), since }
          return { shop, changes, problem: null }
        })
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        noteHost(error)
        const problem = error.offline ? texts.inside.offline : texts.inside.failed(error.message)
        if (turn === latest.current) setInside((before) => ({ ...before, problem }))
      }
    },
    [offered, noteHost],
  )

  useEffect(() => void look(lastClick.twice ? 'twice' : 'click'), [look, lastClick])
  return { ...inside, look }
}
