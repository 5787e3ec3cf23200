import { describe, expect, it } from 'vitest'
import { sendTo } from '../../src/index.ts'
import type { Report } from '../../src/report/report.ts'
import { toJunit } from '../../src/report/to-junit.ts'
import { toText } from '../../src/report/to-text.ts'
import { createShop, reportOf } from '../shop.ts'
import pc from 'picocolors'

/** Response text with markup and control characters, which a report must escape or remove. */
const hostile = `<script>alert('x')</script>&amp;"]]>\u001b[31m\u0007\ud800\u0000`

/** Returns the report of a shop whose discount responses contain `hostile` and a header with markup. */
async function hostileReport(): Promise<Report> {
  const shop = createShop()
  const send = sendTo(async (request) => {
    if (!request.url.includes('get-discount') || !request.headers.has('X-Integration-API-Key')) return shop(request)
    return new Response(JSON.stringify({ success: true, data: hostile }) + hostile, {
      headers: { 'Content-Type': 'text/html', 'X-Odd': '<b>"&' },
    })
  })
  const words = { kit: 'kit <1>', baseUrl: 'https://shop.example/"><b>', profile: '<i>profile</i>', only: [] }
  return reportOf({ send, only: ['getDiscount', 'responses'] }, words)
}

const report = await hostileReport()
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/

it('includes the hostile response in the report', () => {
  expect(report.verdict).toBe('NOT CONFORMING')
  expect(JSON.stringify(report)).toContain('<script>')
})

describe('toJunit', () => {
  const xml = toJunit(report)

  it('returns well-formed XML', () => {
    expect(unbalanced(xml.replace(/^<\?xml[^>]*\?>/, ''))).toEqual([])
    expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|#10);)/)
    expect(xml).not.toMatch(control)
  })

  it('contains an element for each test, failure and skip', () => {
    const { failed, skipped } = report.counts
    expect(xml.match(/<failure /g)).toHaveLength(failed)
    expect(xml.match(/<skipped /g) ?? []).toHaveLength(skipped)
    expect(xml.match(/<testcase /g)).toHaveLength(report.groups.flatMap(({ results }) => results).length)
  })
})

describe('toText', () => {
  it('prints each cause once, with the curl command of its first finding', () => {
    const text = toText(report, pc.createColors(false), { isComplete: true })
    const results = report.groups.flatMap((group) => group.results)
    expect(report.causes.length).toBeLessThan(results.filter(({ finding }) => finding !== null).length)
    for (const { cause, checks } of report.causes) {
      expect(text.split(cause)).toHaveLength(2)
      const curl = results.find(({ id }) => id === checks[0])?.finding?.curl
      if (typeof curl === 'string') expect(text).toContain(curl)
    }
  })

  it('prints every cause with its request, response and requirement, in a limited number of lines', () => {
    const count = (text: string, row: string) => text.match(new RegExp(`^ {6}${row} `, 'gm'))?.length
    const whole = toText(report, pc.createColors(false), { isComplete: true })
    expect(report.causes.length).toBeGreaterThan(7)
    for (const row of ['response', 'requirement']) expect(count(whole, row)).toBe(report.causes.length)
    const text = toText(report, pc.createColors(false), { details: 'The file has all details.' })
    const shown = count(text, 'requirement') ?? 0
    expect(shown).toBeLessThan(report.causes.length)
    expect(text).toContain(`and ${report.causes.length - shown} more cause`)
    expect(text).toContain('The file has all details.')
  })
})

/** Returns the names of opening tags without a closing tag, and of closing tags without an opening tag. */
function unbalanced(markup: string): readonly string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, closes, name = '', closed] of markup.matchAll(/<(\/?)([a-zA-Z][\w-]*)(?:[^<>"]|"[^"]*")*?(\/?)>/g)) {
    if (closed === '/') continue
    if (closes === '') open.push(name)
    else if (open.pop() !== name) wrong.push(name)
  }
  return [...wrong, ...open]
}
