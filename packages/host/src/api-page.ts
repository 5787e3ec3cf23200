import {
  endpointNames,
  endpointRow,
  errors,
  type ErrorCode,
  errorRow,
  type Integration,
  isErrorCode,
} from '@storeport/core'
import { buildOpenApi, causeOf } from '@storeport/core/openapi'

/** The parts of a JSON Schema that the page shows. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example: unknown } }
}

/** The parts of an operation in the OpenAPI description that the page shows. */
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
    readonly example?: string
  }[]
  readonly requestBody?: Body
  readonly responses: { readonly 200: Body }
}

/** Schemas of the OpenAPI description, by name. */
type Schemas = Readonly<Record<string, Schema>>

/**
 * Returns the API reference of an integration as an HTML page. `assets` are the paths of its style sheets and its icon. It
 * loads nothing from other servers.
 */
export function createApiPage(integration: Integration, hasPlayground: boolean, assets: readonly string[]): string {
  const icon = assets.find((path) => path.endsWith('.svg')) ?? 'data:,'
  const styles = assets.filter((path) => path.endsWith('.css'))
  const header = integration.apiKeyHeader
  const description: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: { readonly schemas: Schemas }
  } = JSON.parse(JSON.stringify(buildOpenApi(integration)))
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const own = new Set(endpointNames.flatMap((name): readonly ErrorCode[] => endpointRow(name).errors))
  const common = Object.keys(errors)
    .filter(isErrorCode)
    .filter((code) => !own.has(code))
  const access = hasPlayground
    ? 'If you have opened the playground in this browser, requests use its key. Otherwise, enter an API key.'
    : 'Requests use this API key.'
  const links = operations.map(
    ({ method, operation: { operationId } }) =>
      `<li><a href="#${operationId}">${methodTag(method)} ${operationId}</a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · StorePort</title>
<link rel="icon" href="${icon}">
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
</head>
<body data-key-header="${escape(header)}" data-playground="${hasPlayground}">
<header><img src="${icon}" width="24" height="24" alt=""><strong>StorePort</strong> <span class="soft">API reference</span>
<nav aria-label="Pages">${hasPlayground ? '<a href="/">Playground</a> ' : ''}<a href="/openapi.json">openapi.json</a></nav></header>
<div class="columns">
<nav class="endpoints small" aria-label="Endpoints"><ul>${links.join('')}<li><a href="#errors">Errors of every endpoint</a></li></ul></nav>
<main>
<h1>API reference</h1>
<p>Every request has the API key in the header <code>${escape(header)}</code>. ${access}</p>
<p><label class="strong">API key <input id="key" class="text-field" type="password" autocomplete="off"></label></p>
${operations.map((each) => section(each, header, description.components.schemas)).join('\n')}
<section class="card" aria-labelledby="errors"><h2 id="errors">Errors of every endpoint</h2>${errorTable(common)}</section>
</main>
</div>
<dialog aria-labelledby="question"><form method="dialog" class="dialog-body">
<header class="between"><h2 id="question">Send this request?</h2></header>
<div class="dialog-content"><p>It changes the data of the shop. <span id="effect"></span></p></div>
<footer class="row ruled"><button class="quiet-button">Cancel</button><button class="main-button" value="send">Yes, send it</button></footer>
</form></dialog>
<script src="/docs/start.js"></script>
</body>
</html>
`
}

function section(
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: Operation },
  keyHeader: string,
  schemas: Schemas,
): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const name = endpointNames.find((each) => each === operationId)
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const body = requestBody?.content['application/json']
  const response = responses[200].content['application/json']
  const examples = queries.filter((each) => each.example !== undefined)
  const input = body?.example ?? Object.fromEntries(examples.map((each) => [each.name, each.example]))
  const query = examples.map((each) => `${each.name}=${each.example}`).join('&')
  const curl = [
    `curl "https://shop.example${path}${query && `?${query}`}"`,
    `-H "${keyHeader}: $STOREPORT_API_KEY"`,
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body.example)}'`]),
  ].join(' \\\n  ')
  const json = JSON.stringify(input, null, 2)
  return `<section class="card" aria-labelledby="${operationId}">
<h2 id="${operationId}">${operationId}</h2>
<p>${methodTag(method)} <code>${escape(path)}</code></p>
<p>${prose(summary)} ${prose(description)}</p>
${table(
  [body === undefined ? 'query parameter' : 'field', 'type', 'meaning'],
  body === undefined
    ? queries.map((each) => fieldRow(each.name, each.required, each.schema))
    : fieldRows(body.schema, schemas),
)}
<h3>Request</h3>
<pre class="code curl" tabindex="0">${escape(curl)}</pre>
<h3>Response</h3>
${table(['field of <code>data</code>', 'type', 'meaning'], fieldRows(response.schema.properties?.['data'] ?? {}, schemas))}
<pre class="code" tabindex="0">${escape(JSON.stringify(response.example, null, 2))}</pre>
${name === undefined ? '' : errorTable(endpointRow(name).errors)}
<form class="try" data-endpoint="${operationId}" data-method="${method}" data-path="${escape(path)}" data-effect="${escape(summary)}">
<label class="strong">Input of ${operationId}<textarea class="code" rows="${json.split('\n').length}" spellcheck="false">${escape(json)}</textarea></label>
<button class="main-button">Send</button>
<output class="code" hidden></output>
</form>
</section>`
}

/** Returns a row for each field of an object, and for each field of the objects that it contains. */
function fieldRows(given: Schema, schemas: Schemas, before = ''): string[][] {
  const schema = resolve(given, schemas)
  const rows = (schema.oneOf ?? []).flatMap((form) => fieldRows(form, schemas, before))
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    rows.push(fieldRow(before + name, schema.required?.includes(name) === true, field))
    if (field.items !== undefined) rows.push(...fieldRows(field.items, schemas, `${before}${name}[].`))
  }
  // Lists a field once, even if several forms of the object contain it.
  return [...new Map(rows.map((row) => [row[0], row])).values()]
}

function fieldRow(name: string, isRequired: boolean, { format, type, description = '' }: Schema): string[] {
  return [codeTag(name) + (isRequired ? '' : ', optional'), format ?? type ?? '', prose(description)]
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  return schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
}

function errorTable(codes: readonly ErrorCode[]): string {
  return table(
    ['status', 'error code', 'when'],
    codes.map((code) => [String(errorRow(code).status), codeTag(code), prose(causeOf(code))]),
  )
}

/** Returns a table of HTML cells; an empty string without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const heads = head.map((cell) => `<th scope="col">${cell}</th>`).join('')
  return `<table><thead><tr>${heads}</tr></thead><tbody>${rows.map(cells).join('')}</tbody></table>`
}

function methodTag(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`
}

function codeTag(text: string): string {
  return `<code>${escape(text)}</code>`
}

/** Converts plain text with backticks to HTML. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}
