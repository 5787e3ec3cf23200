import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { missingProgram } from '@storeport/testing/missing-program'
import { expect, it } from 'vitest'
import { send } from '@storeport/testing/send'
import { openHost } from './open-host.ts'
import manifest from '../package.json' with { type: 'json' }

const folder = resolve(import.meta.dirname, '../monitoring')
const promtool = '/usr/bin/promtool'

/** Starts a host and sends a request with a trace. Returns the metrics. */
async function readMetrics(accept: string): Promise<string> {
  const host = await openHost({ STOREPORT_STORE: 'memory', STOREPORT_METRICS: '127.0.0.1:0' })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await send(host.url, '/integration/upsells/products', { headers: { traceparent } })
  return (await fetch(host.metricsUrl ?? '', { headers: { accept } })).text()
}

it.each(['alerts.yml', 'dashboard.json'])('%s contains only metrics that the host has', async (file) => {
  const metrics = await readMetrics('text/plain')
  const named = readFileSync(`${folder}/${file}`, 'utf8').match(/\b(?:storeport|process|nodejs)_\w+/g) ?? []
  const known = new Set(metrics.match(/(?<=^# TYPE )\w+/gm))
  expect(named.length).toBeGreaterThan(5)
  const missing = named.filter((name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|count|sum)$/, '')))
  expect(missing).toEqual([])
})

it('returns OpenMetrics with exemplars and the version of the host', async () => {
  const metrics = await readMetrics('application/openmetrics-text')
  expect(metrics).toMatch(
    /^storeport_call_duration_seconds_bucket.* # \{trace_id="0af7651916cd43dd8448eb211c80319c"\}/m,
  )
  const build = `storeport_build_info{version="${manifest.version}",node="${process.versions.node}",store="memory"} 1`
  expect(metrics).toContain(build)
})

it.skipIf(missingProgram(promtool))('contains rules and metrics that promtool accepts', async () => {
  const check = (what: string, args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(promtool, ['check', what, ...args], { input, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  expect(check('rules', [`${folder}/alerts.yml`])).toMatchObject({ status: 0 })
  const { output } = check('metrics', [], await readMetrics('text/plain'))
  // The library defines the metrics of the process.
  expect(output.split('\n').filter((line) => !line.startsWith('nodejs_'))).toEqual([''])
})
