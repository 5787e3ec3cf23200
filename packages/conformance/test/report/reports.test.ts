import { createHash } from 'node:crypto'
import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import { createKeyHider, type Report, sendTo } from '../../src/index.ts'
import { toJson } from '../../src/http/escape.ts'
import { toJunit } from '../../src/report/to-junit.ts'
import { toText } from '../../src/report/to-text.ts'
import { createShop, reportOf } from '../shop.ts'

/** A key with characters that HTML, JSON, URLs and Base64 encode. */
const apiKey = `Zq7/Vw+9"Ky&4<Rt2%Mn8integration-Lp3`

const hash = (name: string, form: 'hex' | 'base64' | 'base64url') => createHash(name).update(apiKey).digest(form)
const reversed = [...apiKey].toReversed().join('')

/** Texts that are derived from the key, and the length of the parts that a report must not contain. */
const derived: readonly (readonly [text: string, length: number])[] = [
  ...[apiKey, apiKey.toUpperCase(), reversed, encodeURIComponent(apiKey)].map((text) => [text, 6] as const),
  ...['', 'x', 'xy'].flatMap((before) =>
    (['base64', 'base64url'] as const).map((form) => {
      // The characters at both ends also depend on the surrounding text.
      return [
        Buffer.from(before + apiKey)
          .toString(form)
          .slice(before.length + 1, -3),
        8,
      ] as const
    }),
  ),
  [Buffer.from(apiKey).toString('hex'), 8],
  [Array.from(apiKey, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''), 8],
  ...['md5', 'sha1', 'sha256', 'sha512'].map((name) => [hash(name, 'hex'), 8] as const),
  [hash('sha256', 'base64').slice(0, -2), 8],
]

/** Markup, characters that are invisible or change the direction of text, and control characters. */
const unsafe = `<script>alert('x')</script>&amp;"]]>\u202e\u2066\u061c\u200d\u00ad\ufeff\u{e0041}\u2028\u0085\u001b[31m\u0007\ud800`

/** Keys that the shop accepts by mistake, each sent by another check. */
const alsoAccepted = [
  apiKey.slice(0, 1),
  hash('sha256', 'hex'),
  apiKey.slice(0, Math.ceil(apiKey.length / 2)),
  reversed,
]

/** Returns the report of a shop that returns everything that is derived from the key, and unsafe characters. */
async function leakyReport(): Promise<Report> {
  const shop = createShop({ apiKeys: [apiKey] })
  const echo = [unsafe, ...derived.map(([text]) => text), apiKey.slice(4, 12), apiKey.slice(-9)].join(' ')
  const send = sendTo(async (request) => {
    const key = request.headers.get('X-Integration-API-Key') ?? ''
    if (!alsoAccepted.includes(key) && !request.url.includes('get-discount')) return shop(request)
    const body = JSON.stringify({ success: false, error: { code: 'x', message: echo } })
    const length = String(Buffer.byteLength(body))
    const headers = { 'X-Echo': apiKey, 'X-Odd': '<b>"&', 'Content-Length': length, ETag: '"1a2b"' }
    return new Response(body, { status: 400, headers })
  })
  const found = { hide: createKeyHider({ apiKey }), changed: [`left ${echo}`], problem: `stopped: ${echo}` }
  const words = { ...found, kit: 'kit <1>', baseUrl: 'https://shop.example/"><b>', profile: '<i>profile</i>' }
  return reportOf({ send, apiKey, only: ['getDiscount', 'authentication', 'responses'] }, { only: [], ...words })
}

const report = await leakyReport()
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#10': '\n' }
const decodeEntities = (text: string) => text.replace(/&(#?\w+);/g, (entity, name) => entities[name] ?? entity)
const json = toJson(report)

const xml = toJunit(report)

describe.each([
  ['text', toText(report, pc.createColors(false))],
  ['JUnit', xml],
  ['JSON', json],
])('the %s report', (form, raw) => {
  it('contains nothing that is derived from the key', () => {
    const text = (form === 'JSON' ? raw.replaceAll('\\"', '"') : decodeEntities(raw)).toLowerCase()
    expect(text).toContain('<derived from the key>')
    for (const [secret, length] of derived) {
      const known = secret.toLowerCase()
      for (let at = 0; at + length <= known.length; at++) {
        const part = known.slice(at, at + length)
        // Words of every report that the key happens to contain.
        if (!'/integration/ x-integration-api-key'.includes(part))
          expect(text.includes(part), `${part} of ${secret}`).toBe(false)
      }
    }
    expect(text).not.toMatch(/-api-key: z['"]/)
    expect(text).not.toContain('1a2b')
  })

  it('escapes control characters and characters that are invisible or change the direction of text', () => {
    expect(raw).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[^\P{Cc}\n\t]/u)
    expect(raw).toContain(String.raw`\u202e`)
  })
})

it('parses back to the same data in JSON', () => {
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(report)))
  expect(JSON.parse(toJson({ unsafe }))).toEqual({ unsafe })
})

it('does not replace a word of the API description that the key contains', () => {
  const hide = createKeyHider({ apiKey })
  expect(hide('/integration/upsells')).toBe('/integration/upsells')
  expect(hide(`a ${apiKey.slice(15)} b`)).toBe('a <derived from the key> b')
  expect(hide.line(['X-Integration-API-Key', 'Z'])).toEqual(['X-Integration-API-Key', '<derived from the key>'])
  expect(hide.line(['X-Other', 'Z'])).toEqual(['X-Other', 'Z'])
})

describe('toJunit', () => {
  it('returns well-formed XML', () => {
    expect(unbalanced(xml.replace(/^<\?xml[^>]*\?>/, ''))).toEqual([])
    expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|#10);)/)
  })

  it('contains an element for each test, failure and skip, and for the incomplete run', () => {
    const { failed, skipped } = report.counts
    expect(xml.match(/<failure /g)).toHaveLength(failed)
    expect(xml.match(/<skipped /g) ?? []).toHaveLength(skipped)
    expect(xml.match(/<testcase /g)).toHaveLength(report.groups.flatMap(({ results }) => results).length + 1)
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
