import type { Answer } from '@storeport/core'
import type { AddRequest, ClickCosts, ClickOrder, ClickReply } from './run-clicks.ts'
import { endChild, forkChild, waitForReply } from './child.ts'
import { onItsOwnProcessor } from './pin.ts'

/** A process that answers clicks over a database. */
export interface ClickProcess {
  /** Answers one call. */
  probe(request: AddRequest): Promise<Answer>
  /** Runs clicks that succeed, one after the other, by the texts of their bodies. */
  run(bodies: readonly string[]): Promise<ClickCosts>
  /** Ends the process. */
  end(): Promise<void>
}

/** Starts a compiled variant over the database at an address; one that counts statements is slower. */
export async function startClicks(file: string, url: string, counts = false): Promise<ClickProcess> {
  const child = forkChild(file, { BENCH_DATABASE: url, ...(counts && { BENCH_COUNT: '1' }) }, onItsOwnProcessor)
  const ask = async (order: ClickOrder): Promise<ClickReply> => {
    child.send(order)
    return waitForReply<ClickReply>(child)
  }
  await waitForReply(child)
  return {
    probe: async (request) => {
      const { answer } = await ask({ probe: request })
      if (answer === undefined) throw new Error(`${file} gave no answer`)
      return answer
    },
    run: async (bodies) => {
      const { costs } = await ask({ bodies })
      if (costs === undefined) throw new Error(`${file} told no costs`)
      return costs
    },
    end: () => endChild(child),
  }
}
