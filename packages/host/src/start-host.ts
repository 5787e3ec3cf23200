import type { IncomingMessage, ServerResponse } from 'node:http'
import { createIntegration, dateIn, describeError, type Integration } from '@storeport/core'
import { type RunningServer, serve } from '@storeport/node'
import type { Logger } from 'pino'
import { type Schedule, startBilling } from './billing.ts'
import { type HostKeys, openKeys } from './settings/secrets.ts'
import { countCalls, isForAnybody, logCalls, observeAll, tracingIfInstalled } from './observe/calls.ts'
import { createHostFiles } from './host-files.ts'
import { answerHostRoute, serveMetrics, within } from './host-routes.ts'
import { addressOf, limitKeyGuesses } from './limit-key-guesses.ts'
import { limitLines, openLog } from './observe/log.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { makeFromSettings, type Settings, throwSettingsError } from './settings/settings.ts'
import { type EventLoopLimits, watchEventLoop } from './observe/watch-event-loop.ts'

/** The reference host, listening. */
export interface RunningHost {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** What it serves. */
  readonly integration: Integration
  /** The keys it accepts. */
  readonly keys: HostKeys
  /** Address with the token of the page that shows the emails, where there is one. */
  readonly playgroundUrl: string | undefined
  /** Address of its counts, where there is one. */
  readonly metricsUrl: string | undefined
  /** What it writes about itself. */
  readonly log: Logger
  /** Waits until the log has left the process, but no longer than a time in milliseconds. */
  flushLog(ms: number): Promise<void>
  /** Stops accepting, finishes what is in flight within its time, then gives the store its time to close, and the log a second to leave. */
  close(): Promise<void>
}

/** What a program that embeds the host uses instead of the host's own. */
export interface HostParts {
  /** Opens the store; default: the one that the settings name. */
  readonly open?: typeof openStore | undefined
  /** Time for what is in flight when the host closes, in milliseconds; default 10,000. */
  readonly closeTimeoutMs?: number | undefined
  /** Time for the store to close, in milliseconds; default 5,000. */
  readonly storeCloseTimeoutMs?: number | undefined
  /** Time for the store to say whether it is ready, in milliseconds; default 2,000. */
  readonly readyTimeoutMs?: number | undefined
  /** The timer of the hourly job that makes orders; default the system's. */
  readonly schedule?: Schedule | undefined
  /** Folder of the built page of the playground; default: the one in its package. */
  readonly pageFolder?: string | undefined
  /** When the event loop is too late for the host to say that it is ready. */
  readonly eventLoop?: EventLoopLimits | undefined
}

/** Starts the reference host; rejects with a SettingsError for what the person who starts it can fix. */
export async function startHost(settings: Settings, parts: HostParts = {}): Promise<RunningHost> {
  const {
    open = openStore,
    closeTimeoutMs = 10_000,
    storeCloseTimeoutMs = 5000,
    readyTimeoutMs,
    schedule,
    pageFolder,
  } = parts
  const { log, dropped, flush: flushLog } = openLog(settings.log)
  const strangers = limitLines(log, 10)
  const keys = await openKeys(settings.apiKeys, settings.data)
  const servers: RunningServer[] = []
  const closeServers = () => Promise.all(servers.map((server) => server.close()))
  const publicUrl = () => settings.publicUrl ?? servers[0]?.url ?? ''
  const store = await open(settings, publicUrl, (notice) => log.warn(notice))
  try {
    const counts = settings.metrics && countCalls(dropped)
    const tracing = await tracingIfInstalled()
    const integration = makeFromSettings(() =>
      createIntegration({
        store: store.store,
        testStore: store.testStore,
        apiKeys: keys.accepted,
        vendor: settings.vendor,
        ...(settings.retries ? {} : { retries: false }),
        keyGuesses: limitKeyGuesses({
          most: 200,
          seconds: 60,
          trustedProxies: settings.trustedProxies,
          onUnknownProxy: () =>
            log.warn('calls come through a proxy: set STOREPORT_TRUST_PROXY, or all count as one client'),
        }),
        observe: observeAll([
          ...tracing,
          logCalls({ log, strangers, addressOf: (call) => addressOf(call, settings.trustedProxies) }),
          ...(counts ? [counts.observe] : []),
        ]),
        onError: (_error, summary) => {
          // The line of the call says it, and those have a bound.
          if (isForAnybody(summary) && summary.code !== 'unauthorized') return
          log.error(summary, 'failure')
        },
      }),
    )
    await warnOfEarlierDate(settings, store, log)
    const eventLoop = watchEventLoop(log, parts.eventLoop)
    const isReady = async () => !eventLoop.isLate() && (await store.isReady())
    const onError = (error: unknown) => {
      // Anybody may ask for it again and again.
      if (strangers.admits()) log.error(describeError(error), 'a page could not be made')
    }
    const routes = { files: createHostFiles(integration, settings.playground), isReady, readyTimeoutMs, onError }
    const playground = settings.playground
      ? // It brings every check of the API along, which a host without it need not hold in memory.
        await (
          await import('./open-playground.ts')
        ).openPlayground(settings, keys, integration, store, () => running, pageFolder)
      : undefined
    const besideApi = async (req: IncomingMessage, res: ServerResponse) => {
      if (!(await playground?.answer(req, res))) await answerHostRoute(req, res, routes)
    }
    const running = await serve(integration, {
      port: settings.port,
      host: settings.host,
      closeTimeoutMs,
      fallback: (req, res) => void besideApi(req, res).catch(onError),
    }).catch(throwSettingsError)
    servers.push(running)
    const metrics = settings.metrics && counts && (await serveMetrics(settings.metrics, counts, onError))
    if (metrics) servers.push(metrics)
    const { billDue, isHostSeed = false } = store
    const makesOrders = settings.billing ?? isHostSeed
    const billing = billDue && makesOrders ? startBilling({ billDue, log, schedule }) : undefined
    const close = async () => {
      await Promise.all([closeServers(), within(closeTimeoutMs, Promise.resolve(billing?.stop()))])
      eventLoop.stop()
      await within(storeCloseTimeoutMs, store.close())
      strangers.report()
      log.info('stopped')
      await flushLog(1000)
    }
    const playgroundUrl = playground?.address(running.url)
    return {
      url: running.url,
      integration,
      keys,
      playgroundUrl,
      metricsUrl: metrics && `${metrics.url}/metrics`,
      log,
      flushLog,
      close,
    }
  } catch (error) {
    await closeServers()
    await within(storeCloseTimeoutMs, store.close())
    throw error
  }
}

/** Until the date of its latest order nothing is billed that was billed ahead, and sendNow refuses whom it served. */
async function warnOfEarlierDate(
  { today, timeZone }: Settings,
  { latestOrderOn, today: readToday }: OpenStore,
  log: Logger,
): Promise<void> {
  const date = (await readToday?.()) ?? today ?? dateIn(timeZone)(new Date())
  if (latestOrderOn === undefined || latestOrderOn <= date) return
  log.warn({ today: date, latestOrderOn }, "the store's date was set back: it is earlier than that of the latest order")
}
