import { describe, expect, it } from 'vitest'
import { endpointNames, endpoints, errors } from '@storeport/core'
import * as z from 'zod/mini'
import { buildOpenApi } from '../src/openapi/build-openapi.ts'
import { describeOperation, descriptionOf } from '../src/openapi/operations.ts'
import { integrationOf } from './support.ts'

const whole = { basePath: '/integration', apiKeyHeader: 'X-Key', testModeHeader: 'X-Test', offered: endpointNames }
const document = JSON.stringify(buildOpenApi(whole))

describe('OpenAPI description', () => {
  it('contains every endpoint, error code and header', () => {
    for (const name of endpointNames) expect(document).toContain(`"operationId":"${name}"`)
    const parserOnly = [
      'request_timeout',
      'headers_too_large',
      'endpoint_not_found',
      'endpoint_not_available',
      'method_not_allowed',
    ]
    for (const code of Object.keys(errors)) expect(document.includes(`\`${code}\``)).toBe(!parserOnly.includes(code))
    expect(document).toContain('"name":"X-Key"')
  })

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

  it('describes every field', () => {
    const schemas = JSON.stringify(
      z.toJSONSchema(z.union(endpointNames.map((name) => endpoints[name].output)), { unrepresentable: 'any' }),
    )
    const fields = new Set(endpointNames.flatMap((name) => Object.keys(endpoints[name].input._zod.def.shape)))
    for (const [, names = ''] of schemas.matchAll(/"required":\[([^\]]*)\]/g)) {
      for (const name of names.replaceAll('"', '').split(',')) fields.add(name)
    }
    expect(fields.size).toBeGreaterThan(15)
    const described = propertiesOf(buildOpenApi(whole))
    for (const field of fields) {
      const meaning = descriptionOf(field)
      expect(meaning, field).toBeTypeOf('string')
      const meanings = described.filter(([name]) => name === field).map(([, text]) => text)
      // Two fields can share a schema but have different descriptions.
      expect(new Set(meanings), field).toEqual(new Set([meaning]))
    }
  })

  it('contains only examples that are valid under the contract', () => {
    for (const name of endpointNames) {
      expect(z.safeParse<z.core.$ZodType>(endpoints[name].input, describeOperation(name).input).error).toBeUndefined()
      const { output } = describeOperation(name)
      if (output !== undefined)
        expect(z.safeParse<z.core.$ZodType>(endpoints[name].output, output).error).toBeUndefined()
    }
  })

  it("contains the integration's path prefix, headers and endpoints", () => {
    const integration = integrationOf({ sendNow: async () => {} }, { vendor: 'acme-mail' })
    const described = buildOpenApi(integration)
    expect(Object.keys(described['paths'] ?? {})).toEqual(['/acme-mail/customer-portal/send-now'])
    expect(JSON.stringify(described)).toContain('X-Acme-Mail-API-Key')
  })
})

/** Returns the names and descriptions of all properties of a JSON Schema, except references. */
function propertiesOf(value: unknown): [name: string, description: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== 'properties') return propertiesOf(inner)
    const own = Object.entries<object>(inner).filter(([, schema]) => !Reflect.has(schema, '$ref'))
    return [
      ...own.map(([name, schema]): [string, unknown] => [name, Reflect.get(schema, 'description')]),
      ...propertiesOf(Object.values(inner)),
    ]
  })
}
