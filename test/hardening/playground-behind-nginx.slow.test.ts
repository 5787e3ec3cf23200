import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { noNginx, startNginx } from './start-nginx.ts'

vi.setConfig({ testTimeout: 60_000 })

const publicUrl = 'https://shop.example'

/** What merchants write, from nothing to what a guide for nginx says, and with the address that image links start with. */
const configurations: readonly (readonly [name: string, env: Record<string, string>, lines: readonly string[]])[] = [
  ['proxy_pass alone', {}, []],
  [
    'the name and the forwarding headers handed on',
    {},
    [
      'proxy_http_version 1.1;',
      'proxy_set_header Host $host;',
      'proxy_set_header X-Real-IP $remote_addr;',
      'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      'proxy_set_header X-Forwarded-Proto $scheme;',
      'proxy_set_header X-Forwarded-Host $host;',
    ],
  ],
  [
    'the public name handed on, and STOREPORT_PUBLIC_URL set to it',
    { STOREPORT_PUBLIC_URL: publicUrl, STOREPORT_TRUST_PROXY: '1' },
    [
      'proxy_set_header Host shop.example;',
      'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      'proxy_set_header X-Forwarded-Proto https;',
    ],
  ],
]

const sendNow = JSON.stringify({ endpoint: 'sendNow', input: { email: 'another@example.com' } })

/** What strangers add to look like the page of this machine. */
const disguises: readonly Record<string, string>[] = [
  {},
  { Host: 'localhost' },
  { Host: '127.0.0.1:3000' },
  { Origin: publicUrl, Host: 'shop.example' },
  { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Site': 'none', 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1;host=localhost' },
  { 'X-Forwarded-Host': 'localhost', 'X-Real-IP': '127.0.0.1', Referer: 'http://localhost:3000/' },
  { Cookie: 'storeport=1; storeport-0123456789abcdef=a-token-that-somebody-has-guessed-now' },
  { Authorization: 'Bearer a-token-that-somebody-has-guessed-now' },
]

const paths = ['/', '/?token=a-token-that-somebody-has-guessed-now', '/playground/config', '/playground/nothing.js']

/** Sends a request with exactly these headers; an Origin alone is that of the name it asks for. */
async function send(url: string, path: string, headers: Record<string, string>, body?: string) {
  const outgoing = request(url + path, { method: body === undefined ? 'GET' : 'POST', headers, agent: false })
  const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  outgoing.end(body)
  const response = await answered
  return { status: response.statusCode, cookie: response.headers['set-cookie']?.[0], text: await text(response) }
}

describe.skipIf(noNginx)('the playground behind nginx', () => {
  it.each(configurations)('is closed to strangers and open with its token: %s', async (_name, env, lines) => {
    const host = await startHostProcess({ STOREPORT_DATA: await dataFolder(), STOREPORT_STORE: 'memory', ...env })
    onTestFinished(() => void host.child.kill('SIGKILL'))
    const url = await startNginx(host.url, lines)
    const json = { 'Content-Type': 'application/json' }
    let requests = 0
    for (const disguise of disguises) {
      for (const path of paths) {
        expect([path, disguise, (await send(url, path, disguise)).status]).toEqual([path, disguise, 403])
        requests++
      }
      const called = await send(url, '/playground/call', { ...json, Origin: url, ...disguise }, sendNow)
      expect([disguise, called.status, called.cookie]).toEqual([disguise, 403, undefined])
      const checked = await send(url, '/playground/checks', { ...json, Origin: url, ...disguise }, '{"mode":"default"}')
      expect([disguise, checked.status]).toEqual([disguise, 403])
      requests += 2
    }
    console.log(`${requests} requests of strangers, all refused`)

    const token = /\/\?token=([\w-]+)/.exec(host.output.stdout)?.[1] ?? ''
    const opened = await send(url, `/?token=${token}`, {})
    // Without a build there is no page, but who has the token is told so.
    expect([200, 503]).toContain(opened.status)
    const [cookie = ''] = opened.cookie?.split(';') ?? []
    const page = { ...json, Cookie: cookie, Origin: publicUrl, 'Sec-Fetch-Site': 'same-origin' }
    expect((await send(url, '/playground/config', page)).status).toBe(200)
    const called = await send(url, '/playground/call', page, sendNow)
    expect([called.status, JSON.parse(called.text).response.body]).toEqual([200, '{"success":true}'])
  })
})
