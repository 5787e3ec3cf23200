import { expect, it } from 'vitest'
import type { ClickDocument, Decision } from '../src/contract/ledger.ts'
import type { Attempt, Outcome } from '../src/retries/attempt.ts'
import { claim, isOpen, renew, settle } from '../src/retries/protocol.ts'

/*
 * Examples of the rules in docs/decisions/005-clicks.md that the short cases of test/explore do not contain.
 *
 * Each line is a rule, a name and a history of one customer. The steps of a history, where 1 is the id of an attempt:
 *
 *   1 add = claimed                 attempt 1 claims the click and gets this result
 *   1 key/add = claimed             the click has an Idempotency-Key
 *   1 add honors waited 50 = busy   with a promise of the store, or for a request that has waited for 50 ms
 *   1 succeeded                     the attempt ends with this outcome
 *   1 renews = true                 renews the lease; `starts` also forgets earlier attempts
 *   wait 10 s                       time passes (ms, s, min or h); `back 1 h` sets the clock back
 *   writes 2                        the document has been written twice
 *   forget                          the ledger loses its data
 */
const examples = `
4 gives the next click after a rejection a new key: 1 add = claimed with 1; 1 rejected; 2 add = claimed with 2
4 derives the key of a named click: 1 key/add = claimed with key/add; 1 rejected; 2 key/add = claimed with key/add
5 does not end a lease early: 1 add = claimed; wait 14999 ms; 2 add = running; 3 undo = busy
5 moves stored times back with the clock, once: 1 add = claimed; 1 succeeded; back 24 h; 2 add = replayed; writes 3; 3 add = replayed; writes 3; wait 10 s; 4 add = claimed
5 moves a lease back with the clock: 1 add = claimed; back 1 h; 2 add = running; writes 2; wait 15 s; 3 add = unknown
5 moves closed successes back with the clock: 1 add = claimed; 1 succeeded; 2 undo = claimed; 2 succeeded; wait 1 s; back 1 h; 3 undo = replayed; wait 1 s; 4 add = claimed
6 repeats the result of an equal attempt: 1 add = claimed; 1 add = claimed; writes 1; 1 succeeded; 1 add = done
6 repeats reconcile: 1 add = claimed; 1 unknown; 2 add reconciles = reconcile; 2 add reconciles = reconcile
7 rejects another body under a key in every state: 1 key/add = claimed; 2 key/undo = reused; 1 unknown; 3 key/undo = reused; 4 key/add honors = claimed; 4 succeeded; 5 key/undo = reused; wait 86399999 ms; 6 key/undo = reused; wait 1 ms; 7 key/undo = claimed
7 compares the arrival of a request with the window: 1 add = claimed; 1 succeeded; wait 10500 ms; 2 add waited 501 = replayed; 3 add waited 500 = claimed
7 stores a success for requests that arrived in its window: 1 add = claimed; 1 succeeded; wait 16999 ms; 2 add waited 7000 = replayed; wait 1 ms; 3 add waited 7000 = claimed
7 writes only the first replay: 1 add = claimed; 1 succeeded; writes 2; 2 add = replayed; writes 3; 3 add = replayed; writes 3
8 repeats only while the platform honors the key: 1 add = claimed; 1 unknown; wait 59999 ms; 2 add minute = claimed; 2 unknown; wait 1 ms; 3 add minute = unknown
11 puts a success first if the document has lost it: 1 undo = claimed; forget; 2 add = claimed; 2 succeeded; wait 1 s; 1 succeeded; 3 add = replayed; 4 undo = replayed
11 stores a named success for 24 hours: 1 key/add = claimed; 1 succeeded; wait 86399999 ms; 2 key/add = replayed; wait 1 ms; 3 key/add = claimed; 3 succeeded; 4 key/add = replayed
12 removes a rejected click: 1 add = claimed; 1 rejected; 2 add = claimed
12 ignores the outcome of an attempt that another attempt has followed: 1 add = claimed; 1 unknown; 2 add honors = claimed; 1 rejected; 1 unknown; 3 add honors = running
13 stores an unknown outcome for 24 hours from its first attempt: 1 add = claimed; 1 unknown; wait 12 h; 2 add honors = claimed; 2 unknown; wait 43199999 ms; 3 add = unknown; wait 1 ms; 4 add = claimed
13 stores an unknown outcome of a lost claim: 1 add = claimed; forget; 1 unknown; 2 add = unknown
14 returns the times of the first and the last attempt: 1 add = claimed; 1 unknown; wait 1 min; 2 add honors = claimed; 2 unknown; wait 1 s; 3 add reconciles = reconcile after 61000 and 1000
14 treats not_applied as the end of earlier attempts: 1 add = claimed; 1 unknown; 2 add reconciles = reconcile; 2 starts = true; 2 rejected; 3 add = claimed
14 starts only with its own claim: 1 add = claimed; 1 unknown; 2 add reconciles = reconcile; wait 15 s; 2 starts = false; 3 add reconciles = reconcile; 2 starts = false; 3 starts = true
15 renews a lease: 1 add = claimed; wait 14999 ms; 1 renews = true; wait 14999 ms; 2 add = running; wait 1 ms; 1 renews = false; 3 add = unknown
16 drops the oldest named success of a full document: named 100; 2 add = claimed and drops; 3 k0/add = busy; 2 succeeded; 4 k1/add = replayed; 5 k0/add = claimed and drops
16 rejects a click if a document is full of unknown outcomes: unknown 100; 2 add = full; wait 24 h; 3 add = claimed
22 continues only its own claim: 1 add = claimed; 1 add claimed-before = claimed; forget; 1 add claimed-before = lost
23 skips the work of a transaction that has committed: 1 add = claimed; 1 succeeded; 2 undo = claimed; 2 succeeded; 1 add waited 0 = done
`

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }

/** Creates a document with a clock, and returns a function that runs a line of a history. */
function createCustomer(): (line: string) => void {
  let now = 1_000_000_000_000
  let [stored, until, writes]: [ClickDocument | undefined, number, number] = [undefined, 0, 0]
  const attempts = new Map<string, Attempt>()

  function update<Result>(decide: (document: ClickDocument | undefined, at: number) => Decision<Result>): Result {
    const decision = decide(until > now ? stored : undefined, now)
    if (decision.document === undefined) return decision.result
    writes += 1
    stored = structuredClone(decision.document)
    until = decision.until ?? 0
    return decision.result
  }

  function attemptOf(id: string, click: string, options: string): Attempt {
    const [body = '', name = ''] = click.split('/').toReversed()
    const key = attempts.get(id)?.key ?? (name === '' ? '' : click)
    const repeatableMs = options.includes('honors') ? Infinity : options.includes('minute') ? 60_000 : 0
    const windowMs = name === '' ? 10_000 : 24 * 3_600_000
    const waitedMs = Number(/waited (\d+)/.exec(options)?.[1] ?? 0)
    const [canReconcile, isClaimed] = [options.includes('reconciles'), options.includes('claimed-before')]
    const times = { windowMs, leaseMs: 15_000, retainMs: 7000, waitedMs }
    return { id, name, body, key, ...times, canReconcile, repeatableMs, isClaimed }
  }

  function claimed(id: string, click: string, options: string): string {
    const attempt = attemptOf(id, click, options)
    const found = update((document, at) => claim(document, attempt, at))
    const isAdmitted = found.state === 'claimed' || found.state === 'reconcile'
    if (!attempts.has(id) || isAdmitted) attempts.set(id, { ...attempt, key: isAdmitted ? found.key : attempt.key })
    if (!isAdmitted) return found.state
    const times = `after ${found.firstMsAgo} and ${found.lastMsAgo}`
    return `${found.state} with ${found.key} ${times}${found.hasDropped ? ' and drops' : ''}`
  }

  function end(id: string, outcome: string): void {
    const attempt = attempts.get(id)
    if (attempt === undefined || !isOutcome(outcome)) throw new Error(`Invalid outcome: ${id} ${outcome}`)
    update((document, at) => settle(document, attempt, outcome, at))
  }

  return (line) => {
    const [, id = '', rest = '', expected] = /^(\S+) ?(.*?)(?: = (.*))?$/.exec(line) ?? []
    const [count = '', unit = ''] = rest.split(' ')
    if (id === 'wait') now += Number(count) * (units[unit] ?? NaN)
    else if (id === 'back') now -= Number(count) * (units[unit] ?? NaN)
    else if (id === 'forget') until = 0
    else if (id === 'writes') expect(writes, line).toBe(Number(count))
    else if (id === 'named' || id === 'unknown')
      for (let index = 0; index < Number(count); index++) {
        claimed(`old ${index}`, id === 'named' ? `k${index}/add` : `add${index}`, '')
        end(`old ${index}`, id === 'named' ? 'succeeded' : 'unknown')
      }
    else if (expected === undefined) end(id, rest)
    else if (rest === 'renews' || rest === 'starts') {
      const isReconciled = rest === 'starts'
      expect(String(update((document, at) => renew(document, { id, leaseMs: 15_000 }, at, isReconciled))), line).toBe(
        expected,
      )
    } else {
      const found = claimed(id, count, rest)
      for (const part of expected.split(/ (?=with|after|and drops)/))
        expect(found.split(/ (?=with|after|and drops)/), line).toContain(part)
    }
  }
}

function isOutcome(text: string): text is Outcome {
  return ['succeeded', 'unreported', 'rejected', 'unknown', 'released'].includes(text)
}

it.each(examples.trim().split('\n'))('follows rule %s', (example) => {
  const run = createCustomer()
  for (const step of example.slice(example.indexOf(': ') + 2).split('; ')) run(step)
})

it.each([{ v: 1 }, { v: 2 }, { v: 3, at: 1, clicks: [], closed: [] }])(
  'rejects an unsupported document: %j',
  (document) => {
    expect(() => renew(document, { id: '1', leaseMs: 1 }, 1)).toThrow(
      expect.objectContaining({ code: 'store_unavailable', retryAfter: 30 }),
    )
    expect(isOpen(document)).toBe(false)
  },
)
