import type { Answer, Call } from '@storeport/core'
import { plainCall } from './plain-call.ts'
import { type TimedEndpoint, timedEndpointNames } from './requests.ts'

/** Calls of each endpoint before the first that counts. */
const warmUp = 4000

/** Answers as many plain calls to an endpoint as the arguments of this process say, and ends. */
export async function runPlainCalls(answer: (call: Call) => Promise<Answer>): Promise<void> {
  const [name, count] = process.argv.slice(2)
  const endpoint = timedEndpointNames.find((each) => each === name)
  if (endpoint === undefined) throw new TypeError(`must be one of ${timedEndpointNames.join(', ')}: ${name}`)
  let turn = 0
  const run = async (each: TimedEndpoint, times: number) => {
    for (let done = 0; done < times; done++) {
      const { status, body } = await answer(plainCall(each, turn++))
      if (status !== 200) throw new Error(`unexpected answer: ${status} ${body}`)
    }
  }
  for (const each of timedEndpointNames) await run(each, warmUp)
  await run(endpoint, Number(count))
}
