import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { missingProgram } from '@storeport/testing/missing-program'
import { dataFolder } from '@storeport/testing/start-host-process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { type RunningHost, startHost } from '../src/start-host.ts'
import { ruleTests, situations } from './alert-situations.ts'
import { key } from './open-host.ts'
import manifest from '../package.json' with { type: 'json' }

/** Labels of a series. */
type Labels = Readonly<Record<string, string>>

/** An alert rule, as Prometheus reports it. */
interface Rule {
  readonly name: string
  readonly query: string
  readonly lastError?: string
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const alertsFile = resolve(import.meta.dirname, '../monitoring/alerts.yml')
const dashboardFile = resolve(import.meta.dirname, '../monitoring/dashboard.json')

/** Runs promtool. Returns its exit code and its output. */
function promtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync('/usr/bin/promtool', args, { input, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

describe.skipIf(missingProgram('/usr/bin/prometheus'))('the files for Prometheus and Grafana', () => {
  let folder = ''
  let host: RunningHost
  let prometheus: ChildProcess
  let url = ''

  /** Returns the `data` of a response of Prometheus. */
  async function ask<Data>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Data> {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(query)}`)
    const { data, error }: { data: Data; error?: string } = JSON.parse(await response.text())
    expect([query, response.status, error]).toEqual([query, 200, undefined])
    return data
  }

  /** Returns the labels of each series that a query finds. */
  async function find(query: string): Promise<readonly Labels[]> {
    const { result } = await ask<{ result: { metric: Labels }[] }>('query', { query })
    return result.map(({ metric }) => metric)
  }

  /** Waits until Prometheus has scraped the host at least `times` times. */
  const waitForScrapes = (times: number) =>
    vi.waitUntil(async () => (await find(`count_over_time(storeport_ready[5m]) >= ${times}`)).length > 0, {
      timeout: 60_000,
      interval: 100,
    })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storeport-prometheus-'))
    const env = {
      STOREPORT_DATA: await dataFolder(),
      STOREPORT_STORE: 'sqlite',
      STOREPORT_API_KEYS: key,
      STOREPORT_PAUSED: 'sendNow',
    }
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const served = { PORT: '0', STOREPORT_METRICS: '127.0.0.1:0', STOREPORT_LOG: 'silent', STOREPORT_PLAYGROUND: 'off' }
    host = await startHost(readSettings([], { ...env, ...served }))
    const send = (path: string, body: object) =>
      fetch(`${host.url}/integration/${path}`, {
        method: 'POST',
        headers: {
          'x-integration-api-key': key,
          'content-type': 'application/json',
          traceparent: `00-${traceId}-b7ad6b7169203331-01`,
        },
        body: JSON.stringify({ email: 'subscription@example.com', ...body }),
      }).then(({ status }) => status)
    for (let turn = 0; turn < 2; turn += 1) await send('upsells/add-product', { product_id: 'test_12345' })
    await send('customer-portal/send-now', {})

    const config = join(folder, 'prometheus.yml')
    const targets = [new URL(host.metricsUrl ?? '').host]
    await writeFile(
      config,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [alertsFile],
        scrape_configs: [{ job_name: 'storeport', static_configs: [{ targets }] }],
      }),
    )
    const listening = await startPrometheus([`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`])
    prometheus = listening.child
    url = listening.url
    await waitForScrapes(2)
  })

  afterAll(async () => {
    await host?.close()
    if (prometheus?.exitCode === null) {
      prometheus.kill('SIGKILL')
      await once(prometheus, 'close')
    }
    await rm(folder, { recursive: true, force: true })
  })

  it('contain valid alert rules that fire only in their situations', async () => {
    expect(promtool(['check', 'rules', alertsFile])).toMatchObject({ status: 0 })
    const file = join(folder, 'alerts.test.yml')
    await writeFile(file, JSON.stringify({ rule_files: [alertsFile], evaluation_interval: '1m', tests: ruleTests }))
    expect(promtool(['test', 'rules', file])).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') })
  })

  it('contain rules that Prometheus evaluates, each with its situations and with metrics that exist', async () => {
    const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules')
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.map(({ name }) => name)).toEqual(Object.keys(situations))
    expect(rules.filter(({ lastError }) => lastError)).toEqual([])
    const stored = await ask<string[]>('label/__name__/values')
    for (const { query } of rules) {
      const names = query.match(/\b(?:storeport_\w+|up)\b/g) ?? []
      expect(names).not.toEqual([])
      expect(stored).toEqual(expect.arrayContaining(names.filter((name) => name !== 'storeport')))
    }
  })

  it('contain a dashboard whose queries return data', async () => {
    const { panels }: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
      await readFile(dashboardFile, 'utf8'),
    )
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        const query = expr.replaceAll('$instance', '.+').replaceAll('$__rate_interval', '5m')
        expect(query).not.toContain('$')
        expect([title, expr, (await find(query)).length > 0]).toEqual([title, expr, true])
      }
    }
  })

  it('match metrics that Prometheus reads as OpenMetrics, with exemplars and the version', async () => {
    const start = String(Date.now() / 1000 - 600)
    const end = String(Date.now() / 1000 + 60)
    const query = { query: 'storeport_call_duration_seconds_bucket', start, end }
    const found = await ask<{ exemplars: { labels: Labels }[] }[]>('query_exemplars', query)
    expect(found[0]?.exemplars[0]?.labels).toEqual({ trace_id: traceId })
    const [build] = await find('storeport_build_info == 1')
    expect(build).toMatchObject({ version: manifest.version, node: process.versions.node, store: 'sqlite' })
  })

  it('match metrics that promtool accepts in the text format', async () => {
    const text = await (await fetch(host.metricsUrl ?? '')).text()
    const { output } = promtool(['check', 'metrics'], text)
    // The library defines the metrics of the process.
    expect(output.split('\n').filter((line) => !line.startsWith('nodejs_'))).toEqual([''])
  })
})

/** Starts Prometheus on a free port, and waits until it listens. */
async function startPrometheus(args: readonly string[]) {
  const options = ['--web.listen-address=127.0.0.1:0', '--enable-feature=exemplar-storage']
  const child = spawn('/usr/bin/prometheus', [...args, ...options], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  const url = await new Promise<string>((found, failed) => {
    child.stderr.on('data', (data: Buffer) => {
      output += data.toString()
      const address = /msg="Listening on" address=(\S+)/.exec(output)?.[1]
      if (address !== undefined && output.includes('Server is ready')) found(`http://${address}`)
    })
    child.once('error', failed)
    child.once('close', () => failed(new Error(`Prometheus exited:\n${output}`)))
  })
  return { child, url }
}
