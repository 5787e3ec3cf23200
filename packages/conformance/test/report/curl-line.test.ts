import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import type { PlainRequest } from '../../src/index.ts'
import { curlLine } from '../../src/report/finding.ts'

/** Runs a curl command in a shell. Returns the arguments that the shell passes to curl. */
function words(line: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}\n`
  const env = { ...process.env, STOREPORT_API_KEY: 'the key', STOREPORT_SECOND_API_KEY: 'the other' }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const printed = execFileSync('/bin/bash', ['--norc', '-c', script], { env, encoding: 'utf8', stdio: [...stdio] })
  return printed.split('\0').slice(0, -1)
}

const json = ['Content-Type', 'application/json'] as const
const bytes = (text: string) => new TextEncoder().encode(text)

const at = 'https://shop.example/x/a'
const quoted = `{"a":"it's \`x\` $HOME"}`
const control = 'a\r\n\t\\\u001b\u007fb\u00e9'

it.each<[what: string, request: Partial<PlainRequest>, words: readonly string[]]>([
  [
    'GET with a query',
    { target: '/a?b=c&d=$(id)', headers: [['X-Key', '<key>']] },
    [`${at}?b=c&d=$(id)`, '-H', 'X-Key: the key'],
  ],
  [
    'POST with quotes',
    { method: 'POST', headers: [json, ['X-Key', '<second key>']], body: bytes(quoted) },
    [at, '-H', 'Content-Type: application/json', '-H', 'X-Key: the other', '--data-raw', quoted],
  ],
  [
    'body with control characters and without a content type',
    { method: 'PUT', body: bytes(control) },
    ['-X', 'PUT', at, '-H', 'Content-Type:', '--data-raw', control],
  ],
  ['HEAD', { method: 'HEAD' }, ['--head', at]],
  ['path with dots', { target: '/a/../b' }, ['--path-as-is', `${at}/../b`]],
  [
    'absolute target',
    { target: 'http://a.example/b' },
    ['--request-target', 'http://a.example/b', 'https://shop.example/x'],
  ],
  [
    'CONNECT',
    { method: 'CONNECT', target: 'a.example:443' },
    ['-X', 'CONNECT', '--request-target', 'a.example:443', 'https://shop.example/x'],
  ],
  [
    'long header',
    {
      headers: [
        ['X-Large', 'x'.repeat(65_536)],
        ['X-Key', '<key>'],
      ],
    },
    [at, '-H', `X-Large: ${'x'.repeat(200)}`, '-H', 'X-Key: the key'],
  ],
  ['header without a value', { headers: [['X-Key', '']] }, [at, '-H', 'X-Key;']],
])('prints a curl command that reproduces the request: %s', (_what, request, expected) => {
  const whole = { method: 'GET', target: '/a', headers: [], ...request }
  expect(words(curlLine('https://shop.example/x/', whole))).toEqual(['-i', ...expected])
})

it('truncates a long body in the curl command and appends the full size', () => {
  const body = bytes('x'.repeat(70_000))
  const line = curlLine('https://shop.example', { method: 'POST', target: '/a', headers: [json], body })
  expect(line.length).toBeLessThan(2000)
  expect(line).toMatch(/# truncated: 70000 bytes in total$/)
})
