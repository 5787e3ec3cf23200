import { describe, expect, it } from 'vitest'
import { endpointNames } from '@storeport/core'
import { buildOpenApi } from '../src/openapi/build-openapi.ts'
import { integrationOf } from './support.ts'

const whole = { basePath: '/integration', apiKeyHeader: 'X-Key', testModeHeader: 'X-Test', offered: endpointNames }
const document = JSON.stringify(buildOpenApi(whole))

describe('OpenAPI description', () => {
  it('has patterns that match the same strings with and without the u flag', () => {
    const patterns = [...document.matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(([, text = '']) =>
      String(JSON.parse(text)),
    )
    expect(patterns.length).toBeGreaterThan(5)
    expect(patterns.filter((pattern) => pattern.includes('p{'))).toEqual([])
    const [pattern = ''] = patterns
    const meant = /^[^\p{Cc}\p{Cs}]*$/u
    const forms = [new RegExp(pattern), new RegExp(pattern, 'u')]
    const others: string[] = []
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 || (code > 0xd7f0 && code < 0xe010) ? 1 : 257) {
      const letter = String.fromCodePoint(code)
      if (forms.some((form) => form.test(`a${letter}b`) !== meant.test(letter))) others.push(code.toString(16))
    }
    expect(others).toEqual([])
    expect(forms.map((form) => form.test('\u{1f381}\u{20bb7}'))).toEqual([true, true])
  })

  it("contains the integration's path prefix, headers and endpoints", () => {
    const integration = integrationOf({ sendNow: async () => {} }, { vendor: 'acme-mail' })
    const described = buildOpenApi(integration)
    expect(Object.keys(described['paths'] ?? {})).toEqual(['/acme-mail/customer-portal/send-now'])
    expect(JSON.stringify(described)).toContain('X-Acme-Mail-API-Key')
  })
})
