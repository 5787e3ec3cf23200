import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { enterPlayground } from './enter-playground.ts'

/** Maximum time for two runs of the checks on a busy machine, in milliseconds. */
const timeout = 900_000

it('returns READY without a warning for each run of the checks', { timeout }, async () => {
  const settings = readSettings([], {
    ...{ PORT: '0', STOREPORT_LOG: 'silent', STOREPORT_PLAYGROUND: 'on', STOREPORT_STORE: 'memory' },
    STOREPORT_DATA: await dataFolder(),
  })
  const host = await startHost(settings, { closeTimeoutMs: 20 })
  onTestFinished(() => host.close())
  const { post } = await enterPlayground(host)
  for (const run of ['first', 'second']) {
    const text = await (await post('/playground/checks', { mode: 'default' })).text()
    const lines: readonly { type: string; outcome?: string; verdict?: string }[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([run, lines.filter(({ outcome }) => outcome === 'warning' || outcome === 'failed')]).toEqual([run, []])
    expect(lines.at(-1)).toMatchObject({ type: 'end', verdict: 'READY' })
  }
})
