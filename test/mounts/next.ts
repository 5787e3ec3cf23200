import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameworks } from '@storeport/conformance'
import type { Mount } from '@storeport/conformance/vitest'
import { endpointNames, endpoints } from '@storeport/core'
import { linkTool } from '@storeport/testing/install-tool'
import { keys } from '@storeport/testing/keys'
import { listening } from '@storeport/testing/listen'
import { runLine } from '@storeport/testing/run-as-user'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

/** Returns the routes of `next-app` as mounts in one app, with an optional Next base path. */
export function createNextApp(basePath = '') {
  let server: ReturnType<typeof startNextServer> | undefined

  /** Builds and starts the app, which takes several seconds. */
  const start = () => (server ??= startNextServer(basePath))

  const mount = (path: string): MountKind => ({
    start: async (integration) => {
      globalThis.storeportUnderTest = integration
      return { url: (await start()).url + path }
    },
    ...frameworks['next'],
  })

  /** Returns a mount with the store of the app, which all checks share, and the API key in `STOREPORT_API_KEY`. */
  const ownMount = (path: string): Mount => ({
    start: async () => {
      globalThis.storeportUnderTest = undefined
      return { url: (await start()).url + path, apiKey: keys.first }
    },
    ...frameworks['next'],
    layer: 'wire',
  })

  return {
    start,
    stop: async () => (await server)?.stop(),
    /** App Router with `[[...path]]`. */
    catchAll: mount(''),
    /** App Router with one route for each endpoint and no route for other paths. */
    single: ownMount('/single'),
    /** App Router on the edge runtime. */
    edge: ownMount('/edge'),
    pages: mount('/api'),
    /** Pages Router with Next's body parser. */
    pagesParsed: mount('/api/parsed'),
  }
}

const dir = join(import.meta.dirname, 'next-app')

type Listener = Parameters<typeof listening>[0]

/** Type of the `next` function. `next` is installed as a tool, so its types are not available. */
type StartNext = (options: { dir: string; dev: boolean }) => {
  prepare(): Promise<void>
  getRequestHandler(): Listener
  close(): Promise<void>
}

/**
 * Builds `next-app` with a Next base path, which can be empty. Serves the app in this process, so that tests can set
 * its integration.
 */
async function startNextServer(basePath: string): Promise<{ url: string; stop(): Promise<void> }> {
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', STOREPORT_TEST_BASE_PATH: basePath } as const
  const find = await linkTool('next', dir)
  const next: StartNext = find('next')
  await writeSingleRoutes()
  const built = await runLine(dir, `node ${find.resolve('next/dist/bin/next')} build`, { ...process.env, ...env })
  if (built.code !== 0) throw new Error(`next build failed:\n${built.text}`)
  Object.assign(process.env, env)
  const app = next({ dir, dev: false })
  await app.prepare()
  const { url, stop } = await listening(app.getRequestHandler())
  return {
    url: url + basePath,
    stop: async () => {
      await stop?.()
      await app.close()
    },
  }
}

/** Writes one route file for each endpoint, as a merchant without a catch-all route would. */
async function writeSingleRoutes(): Promise<void> {
  for (const name of endpointNames) {
    const folder = join(dir, 'app/single/integration', endpoints[name].path)
    const up = '../'.repeat(endpoints[name].path.split('/').length + 2)
    await mkdir(folder, { recursive: true })
    await writeFile(
      join(folder, 'route.ts'),
      [
        `import { toRouteHandlers } from '@storeport/next'`,
        `import { integration } from '${up}integration.ts'`,
        ``,
        `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toRouteHandlers(integration, '${name}')`,
        ``,
      ].join('\n'),
    )
  }
}
