import { createIntegration, describeError, type Integration, isStoreError } from '@storeport/core'
import { createClock } from '@storeport/rules'
import { createMonitor, endsWithin, type Log, type MonitorOptions, type RunningServer, serve } from '@storeport/node'
import { startBilling } from './billing.ts'
import { type HostKeys, openKeys, restrictDataFolder } from './settings/secrets.ts'
import { countCalls, observeAll, tracingIfInstalled } from './observe/calls.ts'
import { openLog } from './observe/log.ts'
import { createHostFiles } from './host-files.ts'
import { answerError, answerHostRoute, serveMetrics } from './host-routes.ts'
import { openPlayground } from './open-playground.ts'
import { limitKeyGuesses } from './limit-key-guesses.ts'
import { openStore } from './open-store.ts'
import { makeFromSettings, type Settings, throwSettingsError } from './settings/settings.ts'
import manifest from '../package.json' with { type: 'json' }

/** A running reference host. */
export interface RunningHost {
  /** URL that the host listens on, without a trailing slash. */
  readonly url: string
  /** Integration that the host serves. */
  readonly integration: Integration
  /** Accepted API keys. */
  readonly keys: HostKeys
  /** URL of the playground, with its token; `undefined` without a playground. */
  readonly playgroundUrl: string | undefined
  /** URL of the metrics; `undefined` without a metrics listener. */
  readonly metricsUrl: string | undefined
  /** The paused endpoints. */
  readonly paused: Settings['paused']
  /** Log of the host. */
  readonly log: Log
  /** Stops accepting connections, waits for in-flight requests, closes the store and writes the log (at most 1 s). */
  close(): Promise<void>
}

/** Parts that a program can replace when it embeds the host. */
export interface HostParts {
  /** Opens the store; by default the store that the settings select. */
  readonly open?: typeof openStore | undefined
  /** Maximum time that `close` waits for in-flight requests, in milliseconds; default 10,000. */
  readonly closeTimeoutMs?: number | undefined
  /** Maximum time that `close` waits for the store to close, in milliseconds; default 5,000. */
  readonly storeCloseTimeoutMs?: number | undefined
  /** Time limit of the store's readiness check, in milliseconds; default 2,000. */
  readonly readyTimeoutMs?: number | undefined
}

/** Starts the reference host; rejects with SettingsError if a setting is invalid or a resource is unavailable. */
export async function startHost(
  settings: Settings,
  { open = openStore, closeTimeoutMs = 10_000, storeCloseTimeoutMs = 5000, readyTimeoutMs }: HostParts = {},
): Promise<RunningHost> {
  const { log, dropped } = openLog(settings.log)
  const folderWarning = await restrictDataFolder(settings.data)
  if (folderWarning !== undefined) log.warn(folderWarning)
  const keys = await openKeys(settings.apiKeys, settings.data, settings.apiKeyVariable)
  for (const warning of settings.warnings) log.warn(warning)
  const servers: RunningServer[] = []
  const closeServers = () => Promise.all(servers.map((server) => server.close()))
  const publicUrl = () => settings.publicUrl ?? servers[0]?.url ?? ''
  const store = await open(settings, publicUrl, (notice) => log.warn(notice))
  const closeStore = () => endsWithin(storeCloseTimeoutMs, store.close)
  try {
    const { trustedProxies, paused, hidden } = settings
    const { isReady } = store
    const write: MonitorOptions['write'] = ({ level, fields, message }) => log[level](fields, message)
    const monitor = createMonitor({ log: settings.log, write, trustedProxies, isReady, readyTimeoutMs })
    const tracing = await tracingIfInstalled(process.env['OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS'])
    if (paused.length > 0) log.warn({ paused }, 'endpoints are paused')
    const omitted = Object.fromEntries(hidden.map((name) => [name, undefined]))
    const [storeKind = ''] = settings.store.split(':', 1)
    const build = { version: manifest.version, node: process.versions.node, store: storeKind }
    const counts = settings.metrics && countCalls({ build, droppedLines: dropped, paused, isReady: monitor.isReady })
    const integration = makeFromSettings(settings, () =>
      createIntegration({
        store: { ...store.store, ...omitted },
        testStore: { ...store.testStore, ...omitted },
        apiKeys: keys.accepted,
        vendor: settings.vendor,
        ...(settings.retries ? {} : { retries: false }),
        keyGuesses: limitKeyGuesses(trustedProxies),
        // The log and the metrics receive the trace from the inner observer.
        observe: observeAll([monitor.observe, ...(counts ? [counts.observe] : []), ...tracing]),
        onClick: store.store.recordClick,
        isPaused: (name) => (paused.includes(name) ? 'paused' : undefined),
        onError: monitor.onError,
      }),
    )
    const today = createClock(settings)()
    const { latestOrderOn = today } = store
    // On an earlier date, billing and sendNow may be blocked.
    if (latestOrderOn > today)
      log.warn({ today, latestOrderOn }, "the store's date is before the date of the latest order")
    const onError = (error: unknown) => {
      // Limits the number of lines, because clients without a key can request pages repeatedly.
      if (monitor.unauthenticated.admits()) log.error(describeError(error), 'could not respond')
    }
    const routes = { files: createHostFiles(integration, settings.playground), isReady: monitor.isReady, paused }
    const playground = settings.playground
      ? await openPlayground(settings, keys, integration, store, () => running)
      : undefined
    const running = await serve(integration, {
      port: settings.port,
      host: settings.host,
      closeTimeoutMs,
      fallback: async (req, res) => {
        try {
          if (!(await playground?.answer(req, res))) await answerHostRoute(req, res, routes)
        } catch (error) {
          onError(error)
          answerError(res, isStoreError(error) ? error.code : 'internal_error')
        }
      },
    }).catch(throwSettingsError)
    servers.push(running)
    const metrics = settings.metrics && counts && (await serveMetrics(settings.metrics, counts, onError))
    if (metrics) servers.push(metrics)
    const billing = (settings.billing ?? store.isHostSeed) && startBilling(store.store.billDue, log)
    const close = async () => {
      await Promise.all([closeServers(), endsWithin(closeTimeoutMs, async () => billing && billing.stop())])
      await closeStore()
      await monitor.close()
    }
    const { url } = running
    const metricsUrl = metrics && `${metrics.url}/metrics`
    return { url, integration, keys, playgroundUrl: playground?.urlAt(url), metricsUrl, paused, log, close }
  } catch (error) {
    await closeServers()
    await closeStore()
    throw error
  }
}
