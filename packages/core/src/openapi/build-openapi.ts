import * as z from 'zod/mini'
import { allowedMethods, endpointRow } from '../contract/endpoints.ts'
import type { Endpoint, WidgetName } from '../contract/endpoint.ts'
import { type ErrorCode, errorRow } from '../contract/errors.ts'
import type { Integration } from '../pipeline/integration.ts'
import {
  CancelledSubscription,
  CancelledSubscriptionList,
  CurrentSubscription,
  DateString,
  Discount,
  Email,
  ImageUrl,
  Nothing,
  Product,
  ProductList,
  Quantity,
  SubscriptionItem,
} from '../contract/schemas.ts'
import type { EndpointName } from '../contract/store-port.ts'
import { causeOf, describeOperation, descriptionOf } from './operations.ts'

/** The properties of an integration that determine its OpenAPI description. */
export type Described = Pick<Integration, 'basePath' | 'apiKeyHeader' | 'testModeHeader' | 'offered'>

/** Schemas in `components`. All other schemas are inlined. */
const named = {
  Product,
  ProductList,
  SubscriptionItem,
  CurrentSubscription,
  CancelledSubscription,
  CancelledSubscriptionList,
  Discount,
}

const tags: Readonly<Record<WidgetName, string>> = {
  upsells: 'Products in emails.',
  portal: 'The current subscription.',
  reactivate: 'Cancelled subscriptions.',
  customAction: "The merchant's own actions.",
  discounts: 'Discount codes.',
}

/** Error codes of every endpoint. */
const baseCodes: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'rate_limited',
  'internal_error',
  'invalid_store_response',
  'upstream_error',
  'store_unavailable',
  'store_timeout',
]
/** Additional error codes of every POST endpoint. */
const postCodes: readonly ErrorCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'request_in_progress',
  'idempotency_key_reused',
]

/** Builds the OpenAPI 3.1 description of an integration: its path prefix, its headers, and the endpoints that its store offers. */
export function buildOpenApi({ basePath, apiKeyHeader, testModeHeader, offered }: Described): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Subscription commerce integration API',
      version: '1.0.0',
      description: 'The API that an email platform calls for its in-email widgets and its customer portal.',
      contact: { name: 'The shop that serves this API' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      offered.map((name) => [basePath + endpointRow(name).path, { [methodOf(name)]: operation(name, testModeHeader) }]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: apiKeyHeader } },
      schemas: { ...componentSchemas(), Success: successSchema(undefined), Error: errorSchema },
    },
  }
}

function methodOf(name: EndpointName): 'get' | 'post' {
  return allowedMethods(name) === 'POST' ? 'post' : 'get'
}

function operation(name: EndpointName, testModeHeader: string): JsonObject {
  const row = endpointRow(name)
  const isPost = row.method === 'POST'
  const input = schemaOrRef(row.input, 'input')
  const testMode = header(testModeHeader, 'Selects the test store.', {
    type: 'string',
    enum: ['true', 'false'],
  })
  const idempotencyKey = header(
    'Idempotency-Key',
    'Identifies the request of a customer. A repeated request with the same key has no further effect.',
    {
      type: 'string',
      minLength: 1,
      maxLength: 257,
    },
  )
  return {
    operationId: name,
    tags: [row.widget],
    summary: row.summary,
    description: describeOperation(name).description,
    parameters: [...(isPost ? [idempotencyKey] : queryParameters(name, row, input)), testMode],
    ...(isPost && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: input, example: toJson(describeOperation(name).input) } },
      },
    }),
    responses: { '200': success(name, row), ...failures([...row.errors, ...baseCodes, ...(isPost ? postCodes : [])]) },
  }
}

function queryParameters(name: EndpointName, row: Endpoint, input: JsonObject): JsonObject[] {
  const { properties, required } = input
  if (!isObject(properties)) return []
  const needed = Array.isArray(required) ? required : []
  const example = toJson(describeOperation(name).input)
  return Object.entries(properties).map(([field, schema]) => {
    const description = (descriptionOf(field) ?? '') + aliasNote(row, field)
    const value = example[field]
    return {
      name: field,
      in: 'query',
      required: needed.includes(field),
      description,
      schema,
      ...(value !== undefined && { example: value }),
    }
  })
}

/** Returns the sentence about the aliases of a field, or an empty string. */
export function aliasNote({ aliases }: Endpoint, field: string): string {
  const names = aliases?.[field]
  return names === undefined ? '' : ` Alias: \`${names.join('`, `')}\`.`
}

function header(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'header', required: false, description, schema }
}

function success(name: EndpointName, row: Endpoint): JsonObject {
  const data = row.output === Nothing ? undefined : schemaOrRef(row.output, 'output')
  const { output } = describeOperation(name)
  const example = { success: true, ...(output !== undefined && { data: toJson(output) }) }
  return {
    description: row.output === Nothing ? 'The change was made.' : 'The requested data.',
    ...(row.method === 'POST' && { headers: { 'Idempotency-Replayed': replayedHeader } }),
    content: { 'application/json': { schema: data === undefined ? ref('Success') : successSchema(data), example } },
  }
}

const replayedHeader: JsonObject = {
  description: '`true` if the request is a repeat. An earlier request made the change, which counts once.',
  schema: { type: 'string', enum: ['true'] },
}

function successSchema(data: JsonObject | undefined): JsonObject {
  return {
    type: 'object',
    required: data === undefined ? ['success'] : ['success', 'data'],
    properties: { success: { const: true }, ...(data !== undefined && { data }) },
  }
}

/** Creates one response for each error status, with the error codes of that status. */
function failures(codes: readonly ErrorCode[]): JsonObject {
  const statuses = [...new Set(codes.map((code) => errorRow(code).status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const here = [...new Set(codes)].filter((code) => errorRow(code).status === status)
      return [
        String(status),
        {
          description: here.map((code) => `\`${code}\``).join(', '),
          content: {
            'application/json': {
              schema: ref('Error'),
              examples: Object.fromEntries(
                here.map((code) => [code, { summary: causeOf(code), value: errorExample(code) }]),
              ),
            },
          },
        },
      ]
    }),
  )
}

function errorExample(code: ErrorCode): JsonObject {
  return { success: false, error: { code, message: errorRow(code).message } }
}

const errorSchema: JsonObject = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
}

/** Returns the schemas in `components`. */
export function componentSchemas(): Record<string, JsonObject> {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, toJsonSchema(schema, 'output', name)]))
}

/** Returns a reference to a schema in `components`, or the schema itself. */
export function schemaOrRef(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const name = Object.entries(named).find(([, candidate]) => candidate === schema)?.[0]
  return name === undefined ? toJsonSchema(schema, io, undefined) : ref(name)
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** Converts a zod schema to JSON Schema, with references to the schemas in `components`. */
function toJsonSchema(schema: z.core.$ZodType, io: 'input' | 'output', self: string | undefined): JsonObject {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const name = Object.entries(named).find(([, candidate]) => candidate === zodSchema)?.[0]
      if (name !== undefined && name !== self) return replace(jsonSchema, ref(name))
      const format = formats.find(([candidate]) => candidate === zodSchema)?.[1]
      if (format !== undefined) replace(jsonSchema, format)
      if (jsonSchema.pattern === unicodeNoControls) jsonSchema.pattern = noControls
      if (jsonSchema.type === 'object' && io === 'output') jsonSchema.additionalProperties = true
    },
  })
  return describeFields(made)
}

/**
 * Copies a JSON Schema, with a description of each field. Runs after the conversion, because zod converts a shared schema
 * only once.
 */
function describeFields(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key !== 'properties') return value
    return Object.fromEntries(
      Object.entries<JsonObject>(value).map(([field, inner]) => {
        const description = '$ref' in inner ? undefined : descriptionOf(field)
        return [field, description === undefined ? inner : { ...inner, description }]
      }),
    )
  })
}

/** Zod's pattern for strings without control characters or unpaired surrogates; requires JavaScript's `u` flag. */
const unicodeNoControls = String.raw`^[^\p{Cc}\p{Cs}]*$`

/** Equivalent pattern for regular expression engines that match UTF-16 units and for engines that match code points. */
const noControls = String.raw`^(?:[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$`

/** JSON Schemas that replace the converted zod schemas, such as a `format` instead of a regular expression. */
const formats: readonly (readonly [z.core.$ZodType, JsonObject])[] = [
  [Email, { type: 'string', format: 'email', maxLength: 254 }],
  [DateString, { type: 'string', format: 'date' }],
  [ImageUrl, { type: 'string', format: 'uri' }],
  [Quantity, { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
]

function replace(target: object, by: JsonObject): void {
  for (const key of Object.keys(target)) Reflect.deleteProperty(target, key)
  Object.assign(target, by)
}

/** Copies an object through JSON, which removes functions and `undefined`. */
function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value))
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json }
