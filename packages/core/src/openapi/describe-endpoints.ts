import { endpointRow } from '../contract/endpoints.ts'
import type { EndpointName } from '../contract/store-port.ts'
import { Nothing } from '../contract/schemas.ts'
import { aliasNote, componentSchemas, type Described, schemaOrRef } from './build-openapi.ts'
import { describeOperation } from './operations.ts'

/** The parts of a JSON Schema that the API reference shows. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
}

/** A field: its name, its type and its meaning, with code in backticks. */
type FieldRow = readonly [name: string, type: string, meaning: string]

/** An endpoint as the API reference shows it. */
export type DescribedEndpoint = ReturnType<typeof describeEndpoints>[number]

/** Describes the endpoints of an integration, with the fields of their requests and responses, and example requests. */
export function describeEndpoints(integration: Described) {
  const components: Readonly<Record<string, Schema>> = componentSchemas()

  return integration.offered.map((name) => {
    const row = endpointRow(name)
    const path = integration.basePath + row.path
    return {
      ...{ name, path, row, ...describeOperation(name) },
      inputRows: fieldRows(schemaOrRef(row.input, 'input'), '', (field) => aliasNote(row, field)),
      dataRows: row.output === Nothing ? [] : dataRows(resolve(schemaOrRef(row.output, 'output'))),
      /** Returns the example request as a shell command. */
      curl: (origin: string) => toCurl(name, origin + path, integration.apiKeyHeader),
    }
  })

  /** Returns the schema, or the named schema that its `$ref` refers to. */
  function resolve(schema: Schema): Schema {
    return components[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  }

  /** Returns the rows of an object or of its variants. Lists each field once, even if several variants contain it. */
  function dataRows(schema: Schema): readonly FieldRow[] {
    const variants = schema.oneOf?.map(resolve) ?? [schema]
    const rows = variants.flatMap((variant) => fieldRows(variant))
    const names = [...new Set(rows.map(([field]) => field))]
    return names.map((field): FieldRow => {
      const same = rows.filter(([other]) => other === field)
      return [field, [...new Set(same.map(([, type]) => type))].join(' or '), same.at(-1)?.[2] ?? '']
    })
  }

  function fieldRows(schema: Schema, before = '', noteOf = (_field: string) => ''): readonly FieldRow[] {
    return Object.entries(schema.properties ?? {}).flatMap(([field, given]): readonly FieldRow[] => {
      const found = resolve(given)
      const meaning = (given.description ?? found.description ?? '') + noteOf(field)
      const row: FieldRow = [nameOf(before + field, schema.required?.includes(field) === true), typeOf(found), meaning]
      return [row, ...(found.items === undefined ? [] : fieldRows(resolve(found.items), `${before}${field}[].`))]
    })
  }

  function typeOf(schema: Schema): string {
    const usual = schema.default === undefined ? '' : `, default \`${String(schema.default)}\``
    return typeWords(schema) + usual
  }

  function typeWords({ type, format, const: only, items, ...bounds }: Schema): string {
    if (only !== undefined) return `\`${JSON.stringify(only)}\``
    if (items !== undefined) return resolve(items).properties === undefined ? `list of ${typeOf(items)}s` : 'list'
    if (format === 'email') return `email address, at most ${bounds.maxLength} characters`
    if (format === 'date') return 'date `YYYY-MM-DD`'
    if (format === 'uri') return 'http(s) URL'
    if (type === 'string')
      return bounds.maxLength === undefined ? 'string' : `string of ${bounds.minLength}–${bounds.maxLength} characters`
    if (type === 'boolean') return 'boolean'
    return `${type === 'integer' ? 'integer' : 'number'}${boundsOf(bounds)}`
  }
}

function nameOf(field: string, isRequired: boolean): string {
  return isRequired ? `\`${field}\`` : `\`${field}\`, optional`
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const least = minimum === undefined ? undefined : `≥ ${minimum}`
  const above = exclusiveMinimum === undefined ? undefined : `> ${exclusiveMinimum}`
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : `≤ ${maximum}`
  const bounds = [least, above, most].filter((each) => each !== undefined)
  return bounds.length === 0 ? '' : ` ${bounds.join(', ')}`
}

function toCurl(name: EndpointName, url: string, apiKeyHeader: string): string {
  const { input } = describeOperation(name)
  const isPost = endpointRow(name).method === 'POST'
  const query = isPost
    ? ''
    : Object.entries(input)
        .map((field) => field.join('='))
        .join('&')
  const lines = [`curl "${url}${query && `?${query}`}"`, `-H "${apiKeyHeader}: $STOREPORT_API_KEY"`]
  if (isPost) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(input)}'`)
  return lines.join(' \\\n  ')
}
