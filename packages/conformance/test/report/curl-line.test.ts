import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { listenOn } from '@storeport/testing/listen'
import { expect, it } from 'vitest'
import { type PlainRequest, sendByHttp } from '../../src/index.ts'
import { curlLine } from '../../src/report/curl-line.ts'
import { inPieces } from '../../src/shop/inputs.ts'

/** Runs a command in a shell, with shell functions named curl and nc. Returns the printed bytes. */
function runLine(line: string, functions: string): Buffer {
  const env = { ...process.env, STOREPORT_API_KEY: 'the key', STOREPORT_SECOND_API_KEY: 'the other' }
  return execFileSync('/bin/bash', ['--norc', '-c', `${functions}\n${line}\n`], { env })
}

/** Returns the arguments that the shell passes to curl. */
function words(line: string): readonly string[] {
  return runLine(line, `curl() { printf '%s\\0' "$@"; }`).toString().split('\0').slice(0, -1)
}

const json = ['Content-Type', 'application/json'] as const
const bytes = (text: string) => new TextEncoder().encode(text)

const base = 'https://shop.example/x'
const at = `${base}/a`
const quoted = `{"a":"it's \`x\` $HOME"}`
const nested = `{"x":${'['.repeat(5000)}${']'.repeat(5000)},"y":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`
const signs = ["%s'", '\\n', '-', 'é', '"$x"'].map((unit) => unit.repeat(300)).join('|')
const postJson = [at, '-H', 'Content-Type: application/json', '--data-raw']
const host = ['Host', 'shop.example'] as const
const raw = { method: 'POST', target: '/x/a', version: '1.1' } as const
const control = 'a\r\n\t\\\u001b\u007fb\u00e9'

const large = 'x'.repeat(65_536)
const ofHeaders = (...lines: (readonly [string, string])[]): Partial<PlainRequest> => ({ headers: lines })
const ofJson = (text: string, ...lines: (readonly [string, string])[]): Partial<PlainRequest> => {
  return { method: 'POST', headers: [json, ...lines], body: bytes(text) }
}
const lengths = ['-H', 'Content-Length: 2', '-H', 'Content-Length: 7']

it.each<[what: string, request: Partial<PlainRequest>, words: readonly string[]]>([
  [
    'query',
    { target: '/a?b=c&d=$(id)', ...ofHeaders(['X-Key', '<key>']) },
    [`${at}?b=c&d=$(id)`, '-H', 'X-Key: the key'],
  ],
  [
    'quotes',
    ofJson(quoted, ['X-Key', '<second key>']),
    [...postJson.slice(0, 3), '-H', 'X-Key: the other', '--data-raw', quoted],
  ],
  [
    'no content type',
    { method: 'PUT', body: bytes(control) },
    ['-X', 'PUT', at, '-H', 'Content-Type:', '--data-raw', control],
  ],
  ['HEAD', { method: 'HEAD' }, ['--head', at]],
  ['path with dots', { target: '/a/../b' }, ['--path-as-is', `${at}/../b`]],
  ['absolute target', { target: 'http://a.example/b' }, ['--request-target', 'http://a.example/b', base]],
  [
    'CONNECT',
    { method: 'CONNECT', target: 'a.example:443' },
    ['-X', 'CONNECT', '--request-target', 'a.example:443', base],
  ],
  [
    'long header',
    ofHeaders(['X-Large', large], ['X-Key', '<key>']),
    [at, '-H', `X-Large: ${large}`, '-H', 'X-Key: the key'],
  ],
  [
    'part of a key',
    { target: '/a?key=<key>', ...ofHeaders(['X-Key', 'Bearer <key>\n']) },
    [`${at}?key=the key`, '-H', 'X-Key: Bearer the key\n'],
  ],
  ['brackets in the URL', { target: '/a?b[c]={d}' }, ['--globoff', `${at}?b[c]={d}`]],
  [
    'two values of Content-Length',
    { ...raw, headers: [host, json, ['Content-Length', '2'], ['Content-Length', '7']], body: bytes('{}') },
    [...postJson.slice(0, 3), ...lengths, '--data-raw', '{}'],
  ],
  ['HTTP/1.0 without a host', { ...raw, method: 'GET', version: '1.0' }, ['--http1.0', at, '-H', 'Host:']],
  ['nested JSON', ofJson(nested), [...postJson, nested]],
  ['repeated signs', ofJson(signs), [...postJson, signs]],
  ['characters outside ASCII', ofJson('{"a":"\u00a0\u0085é💡"}'), [...postJson, '{"a":"\u00a0\u0085é💡"}']],
  ['header without a value', ofHeaders(['X-Key', '']), [at, '-H', 'X-Key;']],
  ['header of white space', ofHeaders(['X-Key', ' \t']), [at, '-H', 'X-Key;']],
])('prints a curl command that reproduces the request: %s', (_what, request, expected) => {
  const whole = { method: 'GET', target: '/a', headers: [], ...request }
  const line = curlLine('https://shop.example/x/', whole)
  expect(words(line)).toEqual(['-i', ...expected])
  expect(line.length).toBeLessThan(500)
})

it.each<[what: string, headers: PlainRequest['headers'], body?: Uint8Array]>([
  ['malformed chunk', [host, ['Transfer-Encoding', 'chunked']], bytes("0x5\r\n{'%'}\\\r\n0\r\n\r\n")],
  ['two Host headers', [host, ['Host', 'other.example']]],
  ['header with a NUL', [host, ['X-Nul', 'a\u0000b']]],
  ['empty header name', [host, ['', 'x']]],
  ['body without a length', [host], Uint8Array.of(0, 128, 255)],
])('prints the bytes of a request that curl would change: %s', (_what, headers, body) => {
  const request = { ...raw, headers: [...headers, ['X-Key', '<key>'] as const], body }
  const lines = request.headers.map(([name, value]) => `${name}: ${value.replace('<key>', 'the key')}\r\n`)
  const expected = Buffer.concat([Buffer.from(`POST /x/a HTTP/1.1\r\n${lines.join('')}\r\n`), body ?? Buffer.of()])
  const line = curlLine('http://shop.example:3000/x', request)
  expect(line).toMatch(/^printf .* \| nc shop\.example 3000$/)
  expect(runLine(line, 'nc() { cat; }')).toEqual(expected)
  expect(curlLine('https://shop.example', request)).toMatch(/ \| openssl s_client -quiet -connect shop\.example:443$/)
})

it.each([
  [7, '{"a":"grüße, 100 %"}'],
  [16_384, JSON.stringify({ a: 'x'.repeat(65_000), b: '\n'.repeat(200) })],
])('prints the bytes of a request with chunks of %i bytes', async (size, text) => {
  const body = inPieces(text, size)
  const listener = createServer()
  const received = new Promise<Buffer>((resolve) => {
    listener.once('connection', (socket) => {
      let all = Buffer.alloc(0)
      socket.on('data', (data: Buffer) => {
        all = Buffer.concat([all, data])
        if (all.toString().endsWith('\r\n0\r\n\r\n')) socket.end('HTTP/1.1 204 No Content\r\n\r\n', () => resolve(all))
      })
    })
  })
  const url = `${await listenOn(listener)}/x`
  const request: PlainRequest = { method: 'POST', target: '/a?b', headers: [json, ['X-Key', 'the key']], body }
  await sendByHttp(url)(request)
  listener.close()
  const line = curlLine(url, { ...request, headers: [json, ['X-Key', '<key>']] })
  const [sent, printed] = [await received, runLine(line, 'nc() { cat; }')].map((all) => {
    const [head = '', ...rest] = all.toString('latin1').split('\r\n\r\n')
    return { head: head.split('\r\n').toSorted(), rest }
  })
  expect(printed).toEqual(sent)
  expect(line.length).toBeLessThan(1000)
})

it('prints a body that is not UTF-8 as the input of curl', () => {
  const body = Uint8Array.of(31, 139, 0, 255, 10, 37, 39, 92)
  const line = curlLine('https://shop.example', { method: 'POST', target: '/a', headers: [json], body })
  expect(runLine(line, 'curl() { cat; }')).toEqual(Buffer.from(body))
  expect(line).toMatch(/ --data-binary @-$/)
})

it('truncates a long body without repetitions, and appends the full size', () => {
  const body = bytes(Array.from({ length: 10_000 }, (_, index) => index).join(' '))
  const line = curlLine('https://shop.example', { method: 'POST', target: '/a', headers: [json], body })
  expect(line.length).toBeLessThan(2000)
  expect(line).toMatch(/  # truncated: the body has 48889 bytes$/)
})

it('prints each character of a header as one byte', () => {
  const headers = [
    ['X-Key', '<key>\u00a0'],
    ['X-Long', '\u00e9'.repeat(300)],
  ] as const
  const line = curlLine('https://shop.example', { method: 'GET', target: '/a', headers })
  expect(line).toContain(`-H 'X-Key: '"$STOREPORT_API_KEY"$'\\xa0'`)
  const printed = runLine(line, `curl() { printf '%s\\n' "\${@:4}"; }`).toString('latin1')
  expect(printed).toBe(`X-Key: the key\u00a0\n-H\nX-Long: ${'\u00e9'.repeat(300)}\n`)
})
