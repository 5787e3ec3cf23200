import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import type { PlainRequest } from '../../src/index.ts'
import { curlLine } from '../../src/report/finding.ts'

/** What a shell makes of a line: the words that curl would be called with. */
function words(line: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}\n`
  const env = { ...process.env, STOREPORT_API_KEY: 'the key', STOREPORT_SECOND_API_KEY: 'the other' }
  return execFileSync('/bin/bash', ['--norc', '-c', script], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
    .split('\0')
    .slice(0, -1)
}

const json = ['Content-Type', 'application/json'] as const
const bytes = (text: string) => new TextEncoder().encode(text)

it.each<[what: string, request: PlainRequest, words: readonly string[]]>([
  [
    'a read',
    { method: 'GET', target: '/a?b=c&d=$(id)', headers: [['X-Key', '<key>']] },
    ['-i', 'https://shop.example/x/a?b=c&d=$(id)', '-H', 'X-Key: the key'],
  ],
  [
    'an action',
    {
      method: 'POST',
      target: '/a',
      headers: [json, ['X-Key', '<second key>']],
      body: bytes(`{"a":"it's \`x\` $HOME"}`),
    },
    [
      '-i',
      'https://shop.example/x/a',
      '-H',
      'Content-Type: application/json',
      '-H',
      'X-Key: the other',
      '--data-raw',
      `{"a":"it's \`x\` $HOME"}`,
    ],
  ],
  [
    'a body with control characters, without a type',
    { method: 'PUT', target: '/a', headers: [], body: bytes('a\r\n\t\\\u001b\u007fb\u00e9') },
    [
      '-i',
      '-X',
      'PUT',
      'https://shop.example/x/a',
      '-H',
      'Content-Type:',
      '--data-raw',
      'a\r\n\t\\\u001b\u007fb\u00e9',
    ],
  ],
  ['a HEAD', { method: 'HEAD', target: '/a', headers: [] }, ['-i', '--head', 'https://shop.example/x/a']],
  [
    'dots in the path',
    { method: 'GET', target: '/a/../b', headers: [] },
    ['-i', '--path-as-is', 'https://shop.example/x/a/../b'],
  ],
  [
    'a header without a value',
    { method: 'GET', target: '/a', headers: [['X-Key', '']] },
    ['-i', 'https://shop.example/x/a', '-H', 'X-Key;'],
  ],
])('%s comes out of the shell as it was sent', (_what, request, expected) => {
  expect(words(curlLine('https://shop.example/x/', request))).toEqual(expected)
})

it('cuts what is long and says so', () => {
  const body = bytes('x'.repeat(70_000))
  const line = curlLine('https://shop.example', { method: 'POST', target: '/a', headers: [json], body })
  expect(line.length).toBeLessThan(2000)
  expect(line).toMatch(/# and more: 70000 bytes in all$/)
})
