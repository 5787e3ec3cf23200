import { type CheckResult, collectReport, runChecks, type RunOptions, type Send, sendTo } from '../src/index.ts'
import { apiKey, createShop } from './shop.ts'

/** A handler that changes what a good shop answers. */
export function shopThat(change: (response: Response, request: Request) => Response | Promise<Response>): Send {
  const shop = createShop()
  return sendTo(async (request) => change(await shop(request), request))
}

/** The outcome of a check, by default on a correct shop. */
export async function resultOf(id: string, options: Partial<RunOptions> = {}): Promise<CheckResult> {
  const { results } = await collectReport(
    runChecks({ send: sendTo(createShop()), apiKey, mode: 'stress', only: [id], ...options }),
  )
  const [result] = results
  if (result === undefined) throw new Error(`no check ${id}`)
  return result
}
