import {
  type EndpointName,
  endpointNames,
  endpointRow,
  errors as allErrors,
  isErrorCode,
  type WidgetName,
} from '@storeport/core'
import { causeOf, describeOperation } from '@storeport/core/openapi'
import { table } from '../markdown-table.ts'
import { describeFields, pathOf, resolveSchema, type Schema } from './description.ts'
import { type CallExample, makeExamples } from './examples.ts'

/** Guide page about the endpoints of each widget. */
const guides: Readonly<Record<WidgetName, string>> = {
  upsells: 'your-store/upsells.md',
  portal: 'your-store/portal.md',
  reactivate: 'your-store/reactivate.md',
  customAction: 'your-store/custom-actions.md',
  discounts: 'your-store/discounts.md',
}

/** Returns a Markdown section for each endpoint, with an example request and its real response. */
export async function endpointSections(): Promise<string> {
  const examples = await makeExamples()
  return endpointNames.map((name) => endpointSection(name, examples.get(name))).join('\n\n')
}

/** Returns a Markdown list of the errors that are not specific to an endpoint. */
export function commonErrors(): string {
  const own = new Set<string>(endpointNames.flatMap((name) => endpointRow(name).errors))
  return errorList(Object.keys(allErrors).filter((code) => !own.has(code)))
}

function endpointSection(name: EndpointName, example: CallExample | undefined): string {
  const row = endpointRow(name)
  const { data } = describeFields(name)
  return [
    `## ${name}`,
    `\`${row.method} ${pathOf(name)}\``,
    describeOperation(name).description,
    table([row.method === 'POST' ? 'field' : 'query parameter', 'type', 'meaning'], inputRows(name)),
    ...(data === undefined ? [] : [table(['field of `data`', 'type', 'meaning'], dataRows(data))]),
    ...(example === undefined ? [] : [fence('sh', example.curl), fence('json', writeJson(example.answer))]),
    ...(row.errors.length === 0 ? [] : ['Errors:', errorList(row.errors)]),
    [...retryNote(row.retryWindowMs), `Implementation: [guide](${guides[row.widget]}).`].join(' '),
  ].join('\n\n')
}

function inputRows(name: EndpointName): string[][] {
  const { queries, body } = describeFields(name)
  if (body === undefined)
    return queries.map(({ name: field, required, schema, description }) => [
      fieldName(field, required),
      typeOf(schema),
      description,
    ])
  return fieldRows(body, '')
}

function dataRows(data: Schema): string[][] {
  const schema = resolveSchema(data)
  if (schema.oneOf === undefined) return fieldRows(schema, '')
  // Lists each field once, even if several variants contain the field.
  const rows = schema.oneOf.flatMap((form) => fieldRows(resolveSchema(form), ''))
  const kinds = schema.oneOf.map((form) => typeOf(form.properties?.['discount_type'] ?? {}))
  return [...new Map(rows.map((row) => [row[0], row])).values()].map((row) =>
    row[0] === '`discount_type`' ? [row[0], kinds.join(' or '), row[2] ?? ''] : row,
  )
}

function fieldRows(schema: Schema, before: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, given]) => {
    const found = {
      ...resolveSchema(given),
      ...(given.description !== undefined && { description: given.description }),
    }
    const element = found.items === undefined ? undefined : resolveSchema(found.items)
    const row = [
      fieldName(before + field, schema.required?.includes(field) === true),
      typeOf(found),
      found.description ?? '',
    ]
    return [row, ...(element ? fieldRows(element, `${before}${field}[].`) : [])]
  })
}

function fieldName(name: string, isRequired: boolean): string {
  return isRequired ? `\`${name}\`` : `\`${name}\`, optional`
}

function typeOf(schema: Schema): string {
  const usual = schema.default === undefined ? '' : `, default \`${String(schema.default)}\``
  return typeWords(schema) + usual
}

function typeWords({ type, format, const: only, items, ...bounds }: Schema): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  if (items !== undefined) return resolveSchema(items).properties === undefined ? `list of ${typeOf(items)}s` : 'list'
  if (format === 'email') return `email address, at most ${bounds.maxLength} characters`
  if (format === 'date') return 'date `YYYY-MM-DD`'
  if (format === 'uri') return 'http(s) URL'
  if (type === 'string')
    return bounds.maxLength === undefined ? 'string' : `string of ${bounds.minLength}–${bounds.maxLength} characters`
  if (type === 'boolean') return 'boolean'
  return `${type === 'integer' ? 'integer' : 'number'}${boundsOf(bounds)}`
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const least = minimum === undefined ? undefined : `≥ ${minimum}`
  const above = exclusiveMinimum === undefined ? undefined : `> ${exclusiveMinimum}`
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : `≤ ${maximum}`
  const bounds = [least, above, most].filter((each) => each !== undefined)
  return bounds.length === 0 ? '' : ` ${bounds.join(', ')}`
}

function errorList(codes: readonly string[]): string {
  return codes
    .filter(isErrorCode)
    .toSorted((one, other) => allErrors[one].status - allErrors[other].status)
    .map((code) => `- ${allErrors[code].status} \`${code}\`: ${causeOf(code)}`)
    .join('\n')
}

function retryNote(windowMs: number | undefined): string[] {
  if (windowMs === undefined) return []
  const time = windowMs >= 60_000 ? `${windowMs / 60_000} minutes` : `${windowMs / 1000} seconds`
  return [`A repeated click within ${time} of a success [takes effect once](retries.md).`]
}

/** Formats JSON, with arrays of one string and `{ "success": true }` on one line. */
function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/\[\s+("[^"]*")\s+\]/g, '[$1]')
    .replace(/^\{\s+("success": true)\s+\}$/, '{ $1 }')
}

function fence(language: string, text: string): string {
  return ['```' + language, text, '```'].join('\n')
}
