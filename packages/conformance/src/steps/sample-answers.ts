import { type EndpointName, endpoints } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import type { Reply } from '../http/reply.ts'
import { harmlessInput, postNames } from './harmless.ts'

/** One more than the largest body, in bytes. */
const tooManyBytes = 64 * 1024 + 1

/** One answer of every kind that can be had without changing anything: successes and refusals, by endpoint and by transport. */
export async function sampleAnswers(t: CheckContext): Promise<readonly Reply[]> {
  const json = { 'Content-Type': 'application/json' }
  const replies = [
    await t.send({ path: '/no-such-path' }),
    await t.send({ path: '/no-such-path', key: null }),
    await t.send({ method: 'OPTIONS', path: '/no-such-path' }),
  ]
  for (const name of oneOfEachMethod(t.offered)) {
    replies.push(await t.call(name, harmlessInput(t, name), { key: null }))
  }
  for (const name of t.offered) {
    const { method, path } = endpoints[name]
    replies.push(await t.call(name, harmlessInput(t, name)))
    replies.push(await t.call(name, { email: 'no address' }))
    replies.push(await t.send({ method: method === 'GET' ? 'DELETE' : 'GET', path }))
  }
  for (const name of postNames.filter((post) => t.offered.includes(post)).slice(0, 1)) {
    const { path } = endpoints[name]
    replies.push(await t.send({ method: 'POST', path, headers: json, body: '{"email":' }))
    replies.push(await t.send({ method: 'POST', path, headers: { 'Content-Type': 'text/plain' }, body: '{}' }))
    replies.push(await t.send({ method: 'POST', path, headers: json, body: `{"pad":"${'x'.repeat(tooManyBytes)}"}` }))
  }
  return replies
}

/** Shops count wrong keys: a whole run must stay below what they allow in a minute. */
function oneOfEachMethod(offered: readonly EndpointName[]): readonly EndpointName[] {
  return [offered.find((name) => postNames.includes(name)), offered.find((name) => !postNames.includes(name))].filter(
    (name) => name !== undefined,
  )
}
