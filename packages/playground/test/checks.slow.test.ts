import { describe, expect, it } from 'vitest'
import type { CheckLine } from '../src/protocol.ts'
import { send, post } from './ask.ts'
import { apiKey, cookie, shopForTest } from './start-shop.ts'

function linesOf(text: string): CheckLine[] {
  return text
    .trim()
    .split('\n')
    .map((line): CheckLine => JSON.parse(line))
}

describe('a run of the checks', () => {
  it('streams each result as a line', { timeout: 180_000 }, async () => {
    const shop = await shopForTest({ playground: { checks: { unsupported: ['http-parser'] } } })
    expect((await send(`${shop.url}/playground/report`)).status).toBe(404)
    const { status, headers, text } = await post(shop.url, '/playground/checks', { mode: 'read-only' })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/x-ndjson')
    expect(text).not.toContain(apiKey)
    const lines = linesOf(text)
    const outcomes = lines.flatMap((line) => (line.type === 'result' ? line.outcome : []))
    expect(lines[0]).toEqual({ type: 'start', total: outcomes.length })
    expect(lines.at(-1)).toEqual({ type: 'end', verdict: 'NOT TRIED' })
    expect(outcomes.filter((outcome) => outcome === 'passed').length).toBeGreaterThan(50)
    expect(outcomes).not.toContain('failed')

    const report = await send(`${shop.url}/playground/report`)
    expect([report.status, report.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(report.text).toContain('NOT TRIED')
    expect(report.text).not.toContain(apiKey)
    const policy = String(report.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri/)
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(report.headers['cache-control']).toBe('no-store')
    for (const signedOut of [{ Cookie: '' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      expect((await send(`${shop.url}/playground/report`, { headers: signedOut })).status).toBe(403)
    }
  })

  it('rejects a concurrent run, and stops when the client disconnects', { timeout: 180_000 }, async () => {
    let markStarted: (() => void) | undefined
    const started = new Promise<void>((resolve) => (markStarted = resolve))
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    let resets = 0
    const { url } = await shopForTest({
      playground: {
        checks: {
          async reset() {
            resets++
            markStarted?.()
            await gate
          },
        },
      },
    })
    const controller = new AbortController()
    const first = fetch(`${url}/playground/checks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: '{"mode":"read-only"}',
      signal: controller.signal,
    })
    await started
    expect((await post(url, '/playground/checks', { mode: 'read-only' })).status).toBe(409)
    const { body } = await first
    controller.abort()
    await body?.cancel().catch(() => {})
    release()
    const run = async () => (await post(url, '/playground/checks', { mode: 'read-only' })).status
    await expect.poll(run, { timeout: 120_000 }).toBe(200)
    const both = resets
    await run()
    const whole = resets - both
    // `both - whole` is the number of resets before the first run detected the disconnect.
    expect(both - whole).toBeLessThan(5)
  })
})
