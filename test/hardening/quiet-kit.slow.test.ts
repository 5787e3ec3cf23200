import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { seedProfile } from '@storeport/conformance'
import { runLine, userEnvironment } from '@storeport/testing/run-as-user'
import { key } from '@storeport/testing/send'
import { hostForTest } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import { isNightly } from './is-nightly.ts'

const { subscribed = '', cancelled = '', otherCustomer = '' } = seedProfile.customers
const otherCustomers = [
  ...['--customer', subscribed, '--cancelled', cancelled, '--other-customer', otherCustomer],
  ...['--code', 'TEST10', '--action', 'join_waitlist_product_123'],
]

const stress = [...otherCustomers, '--stress']

/** Arguments of the kit, and whether other processes use every processor core. Only nightly runs include every row. */
const rows: readonly (readonly [name: string, args: readonly string[], isBusy: boolean])[] = [
  ['three named customers, with stress', stress, false],
  ['the default test data', [], false],
  ['the default test data, with stress, on busy cores', ['--stress'], true],
  ['three named customers, with stress, on busy cores', stress, true],
]
const runs = isNightly ? 20 : 2

/** Fields of the report that this test reads. */
interface Report {
  readonly verdict: string
  readonly problem: string | null
  readonly groups: readonly { readonly results: readonly { readonly outcome: string; readonly finding: unknown }[] }[]
}

it.each(isNightly ? rows : rows.slice(0, 1))(
  `reports no findings for the host in ${runs} consecutive runs: %s`,
  { timeout: runs * 540_000 },
  async (_name, args, isBusy) => {
    const busyCores = isBusy ? availableParallelism() : 0
    for (let core = 0; core < busyCores; core++) {
      const busy = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' })
      onTestFinished(() => void busy.kill('SIGKILL'))
    }
    // All runs share one host, so that each run starts with the data from the previous run.
    const host = await hostForTest()
    for (let run = 1; run <= runs; run++) {
      const { code, report } = await runKit(host.url, args)
      const { verdict, problem, groups } = report
      const found = groups.flatMap(({ results }) => results.flatMap(({ finding }) => finding ?? []))
      expect({ found, problem }, `run ${run}`).toEqual({ found: [], problem: null })
      // The first run makes changes that are possible only once, such as one send-now per day.
      const expected = run === 1 ? ['READY 0'] : ['READY 0', 'INCOMPLETE 3']
      expect(expected, `run ${run}`).toContain(`${verdict} ${code}`)
    }
  },
)

/**
 * Runs the kit and returns its exit code and JSON report. Ignores standard error, where the kit prints the human-readable
 * report.
 */
async function runKit(url: string, args: readonly string[]): Promise<{ code: number | null; report: Report }> {
  const kit = `node --import tsx packages/conformance/src/main.ts ${url} --json ${args.join(' ')} 2>/dev/null`
  const { code, text } = await runLine('.', kit, userEnvironment({ STOREPORT_API_KEY: key }))
  return { code, report: JSON.parse(text) }
}
