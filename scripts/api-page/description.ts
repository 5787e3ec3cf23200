import { type EndpointName, endpointNames, endpointRow, namesFor } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'

/** The parts of a JSON Schema that the API reference uses. */
export interface Schema {
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

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
}

/** The parts of an operation in the OpenAPI description that the API reference uses. */
interface Operation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description: string
    readonly schema: Schema
  }[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

const names = namesFor()
const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
} = JSON.parse(JSON.stringify(buildOpenApi({ ...names, offered: endpointNames })))

/** Returns the schema, or the named schema that its `$ref` refers to. */
export function resolveSchema(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const found = name === undefined ? schema : document.components.schemas[name]
  if (found === undefined) throw new Error(`The OpenAPI description has no schema ${name}.`)
  return found
}

/** Returns the path of an endpoint, including the base path. */
export function pathOf(name: EndpointName): string {
  return names.basePath + endpointRow(name).path
}

/** Returns the query parameters of an endpoint, and the schemas of its body and of `data` in its response, if any. */
export function describeFields(name: EndpointName) {
  const [operation] = Object.values(document.paths[pathOf(name)] ?? {})
  if (operation === undefined) throw new Error(`The OpenAPI description has no path ${pathOf(name)}.`)
  const { parameters, requestBody, responses } = operation
  const response = responses['200'] && resolveSchema(responses['200'].content['application/json'].schema)
  return {
    queries: parameters.filter((parameter) => parameter.in === 'query'),
    body: requestBody?.content['application/json'].schema,
    data: response?.properties?.['data'],
  }
}
