import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { installTool } from '@storeport/testing/install-tool'
import { listPublishedPackages } from '@storeport/testing/published-packages'

/**
 * Starts an npm registry on the loopback interface and publishes all packages of this clone there. The registry
 * forwards requests for other packages to npm's configured registry. Default `--port`: 4873; 0 selects a free port.
 */
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'storeport-registry-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

try {
  const wanted = readPort()
  const server = await createServer(wanted)
  const port = await listen(server, wanted)
  stopOnSignal(server)
  const url = `http://127.0.0.1:${port}/`
  await build()
  await publish(url)
  console.log(`
The registry serves every package of this clone, and forwards requests for other packages. To use it, set:

  export npm_config_registry=${url}

Then the commands of the README and the guides work unchanged. Press Ctrl-C to stop the registry.`)
} catch (error) {
  console.error(`registry: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

function readPort(): number {
  const { values } = parseArgs({ options: { port: { type: 'string', default: process.env['PORT'] ?? '4873' } } })
  if (/^\d{1,5}$/.test(values.port) && Number(values.port) < 65_536) return Number(values.port)
  throw new Error(
    `--port: ${JSON.stringify(values.port)} is not a port. Expected a number up to 65535, or 0 for a free port.`,
  )
}

/** Creates a Verdaccio server that forwards requests for other packages to npm's configured registry. */
async function createServer(port: number): Promise<Server> {
  const find = await installTool('registry').catch((error: unknown) => {
    throw new Error('Verdaccio could not be installed from tools/registry. Check the network connection.', {
      cause: error,
    })
  })
  const { stdout } = await run('npm', ['config', 'get', 'registry'])
  const { hostname, port: upstreamPort } = new URL(stdout.trim())
  if (['127.0.0.1', 'localhost'].includes(hostname) && upstreamPort === String(port)) {
    throw new Error('npm_config_registry is the URL of this registry. Unset it in this shell.')
  }
  const verdaccio: { runServer(settings: object): Promise<Server> } = find('verdaccio')
  const own = { access: '$all', publish: '$all' }
  return verdaccio.runServer({
    configPath: join(folder, 'settings.yaml'),
    storage: join(folder, 'packages'),
    uplinks: { npm: { url: stdout.trim(), timeout: '60s', max_fails: 100 } },
    packages: { 'create-storeport': own, '@storeport/*': own, '**': { access: '$all', proxy: 'npm' } },
    auth: { htpasswd: { file: join(folder, 'users'), max_users: -1 } },
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'fatal' },
  })
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) throw error
    throw new Error(
      `Port ${port} is in use. Stop the other process or choose another port, for example with --port 0.`,
      {
        cause: error,
      },
    )
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('expected the registry to listen on a port')
  return address.port
}

function stopOnSignal(server: Server): void {
  const stop = () => {
    server.closeAllConnections()
    console.log('stopped')
    process.exit(0)
  }
  // The terminal and npm both send the signal, so `once` would let the second signal interrupt the shutdown.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

async function build(): Promise<void> {
  console.log('Building the changed packages …')
  const child = spawn('npm', ['run', 'build:stale'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error('The packages could not be built. See the output above.')
}

async function publish(url: string): Promise<void> {
  // npm requires a token to publish, but this registry accepts any token.
  const words = ['--access=public', `--registry=${url}`, `--${url.slice('http:'.length)}:_authToken=none`]
  await run('npm', ['publish', '--workspaces', ...words], { maxBuffer: 2 ** 26 })
  for (const { name, version } of listPublishedPackages()) console.log(`published ${name}@${version}`)
}
