import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { seedProfile } from '@storeport/conformance'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import { isNightly } from './is-nightly.ts'

const key = 'a-key-of-the-tests-0001'
const { subscribed = '', cancelled = '', otherCustomer = '' } = seedProfile.customers
const stranger = [
  ...['--customer', subscribed, '--cancelled', cancelled, '--other-customer', otherCustomer],
  ...['--code', 'TEST10', '--action', 'join_waitlist_product_123'],
]

/** What the kit is told, how far it goes, and whether something else takes every core: by night all of them, and longer. */
const rows: readonly { readonly name: string; readonly words: readonly string[]; readonly isBusy: boolean }[] = [
  { name: 'of a stranger, who names three customers, with stress', words: [...stranger, '--stress'], isBusy: false },
  ...(isNightly
    ? [
        { name: 'with the known test data', words: [], isBusy: false },
        { name: 'with the known test data and stress, on busy cores', words: ['--stress'], isBusy: true },
        { name: 'of a stranger, with stress, on busy cores', words: [...stranger, '--stress'], isBusy: true },
      ]
    : []),
]
const runs = isNightly ? 20 : 2

/** What a report holds, as far as this test reads it. */
interface Report {
  readonly verdict: string
  readonly problem: string | null
  readonly groups: readonly { readonly results: readonly { readonly outcome: string; readonly finding: unknown }[] }[]
}

it.each(rows)(
  `${runs} runs in a row find nothing in the host: $name`,
  { timeout: runs * 180_000 },
  async ({ words, isBusy }) => {
    const burnt = isBusy ? availableParallelism() : 0
    for (let core = 0; core < burnt; core++) {
      const busy = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' })
      onTestFinished(() => void busy.kill('SIGKILL'))
    }
    // One host, so that each run finds what the ones before it have left.
    const host = await startHostProcess({ STOREPORT_API_KEYS: key, STOREPORT_DATA: await dataFolder() })
    onTestFinished(() => void host.child.kill('SIGKILL'))
    for (let run = 1; run <= runs; run++) {
      const { verdict, problem, groups } = await check(host.url, words)
      const found = groups.flatMap(({ results }) => results.flatMap(({ finding }) => finding ?? []))
      expect({ found, problem }, `run ${run}`).toEqual({ found: [], problem: null })
      // What is sent once a day, or comes back once, is used up by the first run.
      expect(run === 1 ? ['READY'] : ['READY', 'INCOMPLETE'], `run ${run}`).toContain(verdict)
    }
  },
)

/** The report of the command; what it tells people goes to standard error then. */
async function check(url: string, words: readonly string[]): Promise<Report> {
  const main = ['--import', 'tsx', 'packages/conformance/src/main.ts', url, '--json', ...words]
  const env = { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '', STOREPORT_API_KEY: key } as const
  const child = spawn(process.execPath, main, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let out = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(out)
}
