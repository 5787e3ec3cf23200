import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { findFreePort } from '@storeport/testing/find-free-port'
import { makeFolder } from '@storeport/testing/make-folder'
import { readBlock } from '@storeport/testing/read-block'
import { onTestFinished, vi } from 'vitest'

export const guide = 'docs/guide/go-live.md'

/** Returns the guide's line that adds a second server to the nginx configuration. */
export function secondServer(): string {
  const found = /add a line `(server [^`]+;)` for each/.exec(readFileSync(guide, 'utf8'))?.[1]
  if (found === undefined) throw new Error('The guide has no line for a second server.')
  return found
}

/** Creates a self-signed certificate for localhost and for the domain in the snippets. */
async function createCertificate(folder: string) {
  const [certificate, privateKey] = [join(folder, 'shop.example.pem'), join(folder, 'shop.example.key')]
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=shop.example', '-addext', 'subjectAltName=DNS:shop.example,DNS:localhost']
  await promisify(execFile)('openssl', ['req', ...options, ...names, '-keyout', privateKey, '-out', certificate])
  return { certificate, privateKey }
}

export interface Proxy {
  readonly program: string
  readonly args: (file: string, folder: string) => readonly string[]
  /** Returns the configuration from the guide with the ports and files of a test. */
  readonly configure: (settings: ProxySettings) => string
}

interface ProxySettings {
  readonly folder: string
  readonly port: number
  readonly upstream: string
  readonly certificate: string
  readonly privateKey: string
}

export const nginx: Proxy = {
  program: '/usr/sbin/nginx',
  args: (file, folder) => ['-c', file, '-p', folder, '-e', 'stderr'],
  configure: ({ folder, port, upstream, certificate, privateKey }) => {
    const server = readBlock(guide, 'nginx')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/shop.example.pem', certificate)
      .replace('/etc/ssl/shop.example.key', privateKey)
      .replace('127.0.0.1:3000', new URL(upstream).host)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    )
    // nginx runs as one process and writes its files to the folder.
    return `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
      events {}
      http {
        access_log off;
        ${temporary.join('\n')}
        ${server}
      }`
  },
}

export const caddy: Proxy = {
  program: '/usr/bin/caddy',
  args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  configure: ({ port, upstream, certificate, privateKey }) => {
    const site = readBlock(guide, 'caddyfile')
      .replace('shop.example {', `shop.example:${port} {\n\ttls ${certificate} ${privateKey}\n\tbind 127.0.0.1`)
      .replace('127.0.0.1:3000', new URL(upstream).host)
    return `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`
  },
}

/**
 * Starts a proxy in front of a server, and stops the proxy at the end of the test. `call` sends a POST request if a
 * body is given, otherwise a GET request.
 */
export async function startProxy({ program, args, configure }: Proxy, upstream: string, key: string) {
  const folder = await makeFolder('proxy')
  const { certificate, privateKey } = await createCertificate(folder)
  const port = await findFreePort()
  const file = join(folder, 'configuration')
  await writeFile(file, configure({ folder, port, upstream, certificate, privateKey }))
  const child = spawn(program, args(file, folder), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  const agent = new Agent({ ca: await readFile(certificate), servername: 'shop.example' })
  const call = async (path: string, headers: Record<string, string> = {}, body?: object) => {
    const known = { Host: 'shop.example', 'X-Integration-API-Key': key, ...headers }
    const method = body === undefined ? 'GET' : 'POST'
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const options = { host: '127.0.0.1', port, path, agent, method, headers: { ...known, ...type } }
    const sent = request(options).end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, headers: response.headers, text: await text(response) }
  }
  await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`${program} exited: ${stderr}`)
      return call('/').then(
        () => true,
        () => false,
      )
    },
    { timeout: 30_000 },
  )
  return { call, url: `https://localhost:${port}`, certificate }
}
