import * as z from 'zod/mini'
import { type EndpointName, endpointNames, endpointRow, namesFor } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'

/** The parts of a JSON Schema that the API reference uses. */
const Schema = z.object({
  $ref: z.optional(z.string()),
  type: z.optional(z.string()),
  format: z.optional(z.string()),
  const: z.optional(z.unknown()),
  default: z.optional(z.unknown()),
  minimum: z.optional(z.number()),
  exclusiveMinimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  description: z.optional(z.string()),
  required: z.optional(z.array(z.string())),
  get properties() {
    return z.optional(z.record(z.string(), Schema))
  },
  get items() {
    return z.optional(Schema)
  },
  get oneOf() {
    return z.optional(z.array(Schema))
  },
})
export type Schema = z.infer<typeof Schema>

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['query', 'header']),
  required: z.boolean(),
  description: z.string(),
  example: z.optional(z.unknown()),
  schema: Schema,
})
const Body = z.object({
  content: z.object({
    'application/json': z.object({
      schema: Schema,
      example: z.optional(z.unknown()),
      examples: z.optional(z.record(z.string(), z.object({ summary: z.string() }))),
    }),
  }),
})
const Described = z.object({
  summary: z.string(),
  description: z.string(),
  parameters: z.array(Parameter),
  requestBody: z.optional(Body),
  responses: z.record(z.string(), Body),
})
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Described)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

/** An error code that an operation can return. */
export interface DescribedError {
  readonly status: string
  readonly code: string
  /** Condition under which the operation returns the error. */
  readonly cause: string
}

/** The OpenAPI description of an operation. */
export interface DescribedOperation {
  /** Path, including the base path. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly z.infer<typeof Parameter>[]
  /** Schema of the request body; `undefined` for a GET. */
  readonly body: Schema | undefined
  /** Example of the request body. */
  readonly example: unknown
  /** Schema of `data` in the response; `undefined` for an action. */
  readonly data: Schema | undefined
  readonly errors: readonly DescribedError[]
}

const names = namesFor()
const document = Document.parse(buildOpenApi({ ...names, offered: endpointNames }))

/** Returns the schema, or the named schema that its `$ref` refers to. */
export function resolveSchema(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const found = name === undefined ? schema : document.components.schemas[name]
  if (found === undefined) throw new Error(`The OpenAPI description has no schema ${name}.`)
  return found
}

/** Returns the OpenAPI description of an operation. */
export function describeOperation(name: EndpointName): DescribedOperation {
  const path = names.basePath + endpointRow(name).path
  const operation = Object.values(document.paths[path] ?? {})[0]
  if (operation === undefined) throw new Error(`The OpenAPI description has no path ${path}.`)
  const { summary, description, parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const { '200': success, ...failures } = responses
  const response = success && resolveSchema(success.content['application/json'].schema)
  return {
    path,
    summary,
    description,
    parameters,
    body: body?.schema,
    example: body?.example,
    data: response?.properties?.['data'],
    errors: Object.entries(failures).flatMap(([status, { content }]) =>
      Object.entries(content['application/json'].examples ?? {}).map(([code, { summary: cause }]) => ({
        status,
        code,
        cause,
      })),
    ),
  }
}
