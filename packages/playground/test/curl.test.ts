import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlOf } from '../page/wire/curl.ts'

const url = 'https://shop.example/integration/customer-portal/delay'

/** What the shell makes of the words of a command, a stand-in taking the place of curl. */
function wordsOf(command: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, STOREPORT_API_KEY: 'the key of the shell' },
  })
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

describe('a command', () => {
  it('names the key by a variable of the shell', () => {
    const headers = [['X-Acme-Mail-API-Key', '<key>']] as const
    const command = curlOf({ method: 'GET', url, headers, body: null }, 'x-acme-mail-api-key')
    expect(command).toContain('$STOREPORT_API_KEY')
    expect(wordsOf(command)).toEqual([url, '-H', 'X-Acme-Mail-API-Key: the key of the shell'])
  })

  it('sends what was sent, whatever it holds', () => {
    const body = JSON.stringify({ email: "o'neil@example.com", action_id: '$(id) `id` "x" \\ \n end' })
    const request = {
      method: 'POST',
      url: `${url}?a=it's`,
      headers: [['Content-Type', 'application/json']] as const,
      body,
    }
    expect(wordsOf(curlOf(request, 'X-Integration-API-Key'))).toEqual([
      '-X',
      'POST',
      `${url}?a=it's`,
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      body,
    ])
  })
})
