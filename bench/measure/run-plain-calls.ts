import type { Answer, Call } from '@storeport/core'
import { type TimedEndpoint, timedEndpointNames, timedEndpoints } from './requests.ts'

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

function plainCall(endpoint: TimedEndpoint, turn: number): Call {
  const { method, path, headers, body = '' } = timedEndpoints[endpoint](turn)
  const [pathname = '', query = ''] = path.split('?')
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    method,
    path: pathname,
    query,
    header: (name) => sent.get(name),
    text: () => Promise.resolve(body),
    hasLeft: () => false,
  }
}
