import { seedProfile } from '@storeport/conformance'
import { runLine, userEnvironment } from '@storeport/testing/run-as-user'
import { key } from '@storeport/testing/send'
import { hostForTest } from '@storeport/testing/start-host-process'
import { expect, it } from 'vitest'

const { subscribed = '', cancelled = '', otherCustomer = '' } = seedProfile.customers
const words = [
  ...['--customer', subscribed, '--cancelled', cancelled, '--other-customer', otherCustomer],
  ...['--code', 'TEST10', '--action', 'join_waitlist_product_123', '--stress', '--json'],
]

/** Fields of the report that this test reads. */
interface Report {
  readonly verdict: string
  readonly problem: string | null
  readonly groups: readonly { readonly results: readonly { readonly finding: unknown }[] }[]
}

it('reports no findings for the host in two runs with three named customers', { timeout: 1_080_000 }, async () => {
  // Both runs share one host, so that the second run starts with the data from the first run.
  const { url } = await hostForTest()
  // The first run makes changes that are possible only once, such as one send-now per day.
  for (const expected of [['READY 0'], ['READY 0', 'INCOMPLETE 3']]) {
    // On standard error, the kit prints the report as text.
    const kit = `node --import tsx packages/conformance/src/main.ts ${url} ${words.join(' ')} 2>/dev/null`
    const { code, text } = await runLine('.', kit, userEnvironment({ STOREPORT_API_KEY: key }))
    const { verdict, problem, groups }: Report = JSON.parse(text)
    const found = groups.flatMap(({ results }) => results.flatMap(({ finding }) => finding ?? []))
    expect({ found, problem }).toEqual({ found: [], problem: null })
    expect(expected).toContain(`${verdict} ${code}`)
  }
})
