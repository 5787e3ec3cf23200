import { endpointNames, endpointRow, errorRow, type Integration } from '@storeport/core'
import { buildOpenApi, causeOf, describeOperation } from '@storeport/core/openapi'

/** The parts of a JSON Schema that the page shows. */
interface Schema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
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
  }[]
  readonly requestBody?: Body
}

/** Returns the API reference of an integration as an HTML page. The page loads nothing from other servers. */
export function createApiPage(integration: Integration, hasPlayground: boolean): string {
  const { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } = JSON.parse(
    JSON.stringify(buildOpenApi(integration)),
  )
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method.toUpperCase(), path, operation)),
  )
  const access = hasPlayground
    ? 'If you have opened the playground in this browser, requests use its key. Otherwise, enter an API key.'
    : 'Requests use this API key.'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body data-key-header="${escape(integration.apiKeyHeader)}" data-playground="${hasPlayground}">
<header><nav aria-label="Pages">${hasPlayground ? '<a href="/">Playground</a> ' : ''}<a href="/openapi.json">openapi.json</a></nav></header>
<main>
<h1>API reference</h1>
<p>Every request has the API key in the header <code>${escape(integration.apiKeyHeader)}</code>. ${access}</p>
<p><label>API key <input id="key" type="password" autocomplete="off"></label></p>
${sections.join('\n')}
</main>
<script src="/docs/start.js"></script>
</body>
</html>
`
}

function section(method: string, path: string, { operationId, summary, description, ...rest }: Operation): string {
  const name = endpointNames.find((each) => each === operationId)
  const input = name === undefined ? {} : describeOperation(name).input
  const codes = name === undefined ? [] : endpointRow(name).errors
  return `<section aria-labelledby="${operationId}">
<h2 id="${operationId}">${operationId}</h2>
<p><span class="method">${method}</span> <code>${escape(path)}</code></p>
<p>${prose(summary)} ${prose(description)}</p>
${table(['field', 'type', 'meaning'], fieldRows(rest))}
${table(
  ['status', 'error code', 'when'],
  codes.map((code) => [String(errorRow(code).status), codeTag(code), prose(causeOf(code))]),
)}
<form data-endpoint="${operationId}" data-method="${method}" data-path="${escape(path)}">
<label>Input of ${operationId}<textarea rows="${Object.keys(input).length + 2}" spellcheck="false">${escape(JSON.stringify(input, null, 2))}</textarea></label>
<button>Send</button>
<output></output>
</form>
</section>`
}

function fieldRows({ parameters = [], requestBody }: Pick<Operation, 'parameters' | 'requestBody'>): string[][] {
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {}
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
  return [...queries, ...fields].map(({ name, schema, required: isRequired }) => [
    codeTag(name) + (isRequired ? '' : ', optional'),
    schema.format ?? schema.type ?? '',
    prose(schema.description ?? ''),
  ])
}

/** Returns a table of HTML cells; an empty string without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const heads = head.map((cell) => `<th scope="col">${cell}</th>`).join('')
  return `<table><thead><tr>${heads}</tr></thead><tbody>${rows.map(cells).join('')}</tbody></table>`
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

/** Styles of the page, with the colors of the playground. */
export const apiPageStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f3f2ef, #111312);
  --panel: light-dark(#ffffff, #191b1a);
  --line: light-dark(#e5e2dd, #2d312f);
  --line-strong: light-dark(#8b867d, #7b827d);
  --ink: light-dark(#1e1d1b, #eceae5);
  --soft: light-dark(#635f58, #a8a59d);
  --accent: light-dark(#2b5a47, #93c9ad);
  --on-accent: light-dark(#ffffff, #10231b);
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 0.9375rem/1.5 system-ui, sans-serif }
header, main { max-width: 56rem; margin: 0 auto; padding: 1rem }
nav { display: flex; gap: 1.5rem }
a { color: var(--accent) }
h1, h2 { font-family: Georgia, serif; font-weight: 500; line-height: 1.2 }
section { margin: 1rem 0; padding: 0.5rem 1rem 1rem; border: 1px solid var(--line); border-radius: 12px; background: var(--panel) }
code, textarea, output, .method { font: 500 0.8125rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.method { padding: 0.125rem 0.5rem; border-radius: 6px; background: var(--accent); color: var(--on-accent) }
table { width: 100%; border-collapse: collapse; margin: 0.75rem 0 }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top }
th { color: var(--soft); font-weight: 500 }
label { display: block }
input, textarea { width: 100%; padding: 0.375rem 0.75rem; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--panel); color: inherit }
button { min-height: 2.25rem; padding: 0 1rem; border: 0; border-radius: 999px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
output { display: block; white-space: pre-wrap; margin-top: 0.5rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

/**
 * Script of the page. Sends a request with the key in the field. Without a key, the playground sends the request, if
 * the browser is signed in.
 */
export const apiPageScript = `const { keyHeader, playground } = document.body.dataset
const key = document.querySelector('#key')

async function send({ endpoint, method, path }, input) {
  const headers = { 'Content-Type': 'application/json' }
  if (key.value === '' && playground === 'true') {
    const response = await fetch('/playground/call', { method: 'POST', headers, body: JSON.stringify({ endpoint, input }) })
    if (response.status === 403) return 'Open the playground with the URL that the host prints, or enter an API key.'
    const { response: received, problem } = await response.json()
    return received === null ? problem : received.status + '\\n' + received.body
  }
  const query = method === 'GET' ? '?' + new URLSearchParams(input) : ''
  const body = method === 'GET' ? undefined : JSON.stringify(input)
  const response = await fetch(path + query, { method, headers: { ...headers, [keyHeader]: key.value }, body })
  return response.status + '\\n' + (await response.text())
}

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const output = form.querySelector('output')
    const show = (text) => { output.textContent = text }
    try {
      send(form.dataset, JSON.parse(form.querySelector('textarea').value)).then(show, () => show('The host did not respond.'))
    } catch {
      show('The input is not valid JSON.')
    }
  })
}
`
