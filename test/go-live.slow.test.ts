import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { findFreePort } from '@storeport/testing/find-free-port'
import { missingProgram } from '@storeport/testing/missing-program'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })

const key = 'a-key-of-the-tests-0001'
const page = await readFile('docs/guide/go-live.md', 'utf8')

/** The one block of the guide in a language. */
function snippet(language: string): string {
  const found = new RegExp('```' + language + '\n([^]*?)```').exec(page)?.[1]
  if (found === undefined) throw new Error(`the guide has no ${language}`)
  return found
}

/** A certificate that signs itself, for the name that the snippets use. */
async function makeCertificate(folder: string) {
  const [certificate, privateKey] = [join(folder, 'shop.example.pem'), join(folder, 'shop.example.key')]
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=shop.example', '-addext', 'subjectAltName=DNS:shop.example']
  await promisify(execFile)('openssl', ['req', ...options, ...names, '-keyout', privateKey, '-out', certificate])
  return { certificate, privateKey }
}

interface Proxy {
  readonly program: string
  readonly args: (file: string, folder: string) => readonly string[]
  /** Its whole configuration: what the guide says, for the ports and files of a test. */
  readonly configure: (place: Place) => string
}

interface Place {
  readonly folder: string
  readonly port: number
  readonly upstream: string
  readonly certificate: string
  readonly privateKey: string
}

const nginx: Proxy = {
  program: '/usr/sbin/nginx',
  args: (file, folder) => ['-c', file, '-p', folder, '-e', 'stderr'],
  configure: ({ folder, port, upstream, certificate, privateKey }) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    )
    const server = snippet('nginx')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/shop.example.pem', certificate)
      .replace('/etc/ssl/shop.example.key', privateKey)
      .replace('http://127.0.0.1:3000', upstream)
    return `daemon off; master_process off; pid ${folder}/nginx.pid; events {}
      http { access_log off; ${temporary.join(' ')} ${server} }`
  },
}

const caddy: Proxy = {
  program: '/usr/bin/caddy',
  args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  configure: ({ port, upstream, certificate, privateKey }) => {
    const site = snippet('caddyfile')
      .replace('shop.example {', `shop.example:${port} {\n\ttls ${certificate} ${privateKey}\n\tbind 127.0.0.1`)
      .replace('127.0.0.1:3000', new URL(upstream).host)
    return `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`
  },
}

/** Starts a proxy as the guide writes it, before a host, until the test is over. */
async function startProxy({ program, args, configure }: Proxy, upstream: string) {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-proxy-'))
  const { certificate, privateKey } = await makeCertificate(folder)
  const port = await findFreePort()
  const file = join(folder, 'configuration')
  await writeFile(file, configure({ folder, port, upstream, certificate, privateKey }))
  const child = spawn(program, args(file, folder), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()))
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  const agent = new Agent({ ca: await readFile(certificate), servername: 'shop.example' })
  const call = async (path: string, headers: Record<string, string> = {}) => {
    const known = { Host: 'shop.example', 'X-Integration-API-Key': key, ...headers }
    const sent = request({ host: '127.0.0.1', port, path, agent, headers: known }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, headers: response.headers, text: await text(response) }
  }
  await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${complaints}`)
      return call('/').then(
        () => true,
        () => false,
      )
    },
    { timeout: 30_000 },
  )
  return call
}

describe.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('%s as the guide writes it', (_name, proxy) => {
  it.skipIf(missingProgram(proxy.program))('serves the API over TLS, and nothing else of the host', async () => {
    const env = { STOREPORT_API_KEYS: key, STOREPORT_STORE: 'memory', STOREPORT_TRUST_PROXY: '1' }
    const host = await startHostProcess({ ...env, STOREPORT_DATA: await dataFolder() })
    onTestFinished(() => void host.child.kill('SIGKILL'))
    const call = await startProxy(proxy, host.url)

    const listed = await call('/integration/upsells/products')
    expect([listed.status, JSON.parse(listed.text).success]).toEqual([200, true])
    // The path arrives as it was sent.
    for (const path of ['/integration//upsells/products', '/integration/%75psells/products'])
      expect([path, (await call(path)).status]).toEqual([path, 404])
    for (const path of ['/', '/healthz', '/docs', '/metrics', '/playground/config', '/openapi.json'])
      expect([path, (await call(path)).status]).toEqual([path, 404])

    // What a client writes into the header is not believed: the proxy's address of it counts.
    const refused = await call('/integration/upsells/products', {
      'X-Integration-API-Key': 'a-wrong-key-of-the-tests',
      'X-Forwarded-For': '203.0.113.7',
    })
    expect(refused.status).toBe(401)
    await vi.waitUntil(() => host.output.stdout.includes('"unauthorized"'), { timeout: 10_000 })
    expect(host.output.stdout).toContain('"address":"127.0.0.1"')
    expect(host.output.stdout).not.toContain('203.0.113.7')

    host.child.kill('SIGKILL')
    await host.exited
    const away = await call('/integration/upsells/products')
    expect([away.status, away.headers['retry-after'], JSON.parse(away.text)]).toEqual([
      503,
      '5',
      { success: false, error: { code: 'store_unavailable', message: 'The shop cannot answer at the moment.' } },
    ])
    expect(away.headers['content-type']).toContain('application/json')
  })
})

it.skipIf(missingProgram('/usr/bin/systemd-analyze'))('the systemd unit of the guide is one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-systemd-'))
  const file = join(folder, 'storeport.service')
  await writeFile(file, snippet('ini'))
  // It complains of what it does not know, and of programs and users that are not there; the user is the reader's.
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', file]).catch(
    (error: { stderr: string }) => error,
  )
  expect(stderr.split('\n').filter((line) => line.includes('storeport.service'))).toEqual([])
})
