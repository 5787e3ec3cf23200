import { describe, expect, it } from 'vitest'
import { endpointNames, endpoints, errors } from '@storeport/core'
import * as z from 'zod/mini'
import { buildOpenApi } from '../src/openapi/build-openapi.ts'
import { examples, fieldMeanings } from '../src/openapi/texts.ts'
import { integrationOf } from './support.ts'

const whole = { basePath: '/integration', apiKeyHeader: 'X-Key', testModeHeader: 'X-Test', offered: endpointNames }
const document = JSON.stringify(buildOpenApi(whole))

describe('the OpenAPI description', () => {
  it('names every endpoint, field, error code and header', () => {
    for (const name of endpointNames) expect(document).toContain(`"operationId":"${name}"`)
    for (const field of Object.keys(fieldMeanings)) expect(document).toContain(`"${field}":{`)
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

  it('knows a meaning for every field of the contract', () => {
    for (const name of endpointNames) {
      for (const field of Object.keys(endpoints[name].input._zod.def.shape)) expect(fieldMeanings).toHaveProperty(field)
    }
  })

  it('has examples that the contract accepts', () => {
    for (const name of endpointNames) {
      expect(z.safeParse<z.core.$ZodType>(endpoints[name].input, examples[name].input).error).toBeUndefined()
      const { output } = examples[name]
      if (output !== undefined)
        expect(z.safeParse<z.core.$ZodType>(endpoints[name].output, output).error).toBeUndefined()
    }
  })

  it('describes an integration as it is set up', () => {
    const integration = integrationOf({ sendNow: async () => {} }, { vendor: 'acme-mail' })
    const described = buildOpenApi(integration)
    expect(Object.keys(described['paths'] ?? {})).toEqual(['/acme-mail/customer-portal/send-now'])
    expect(JSON.stringify(described)).toContain('X-Acme-Mail-API-Key')
  })
})
