import {
  endpointNames,
  endpointRow,
  errors,
  type ErrorCode,
  errorRow,
  type Integration,
  isErrorCode,
} from '@storeport/core'
import { causeOf, type DescribedEndpoint, describeEndpoints } from '@storeport/core/openapi'

/**
 * Returns the API reference of an integration as an HTML page. `assets` are the paths of its style sheets and its icon. It
 * loads nothing from other servers.
 */
export function createApiPage(integration: Integration, hasPlayground: boolean, assets: readonly string[]): string {
  const icon = assets.find((path) => path.endsWith('.svg')) ?? 'data:,'
  const styles = assets.filter((path) => path.endsWith('.css'))
  const header = integration.apiKeyHeader
  const endpoints = describeEndpoints(integration)
  const own = new Set(endpointNames.flatMap((name): readonly ErrorCode[] => endpointRow(name).errors))
  const common = Object.keys(errors)
    .filter(isErrorCode)
    .filter((code) => !own.has(code))
  const access = hasPlayground
    ? 'If you have opened the playground in this browser, requests use its key. Otherwise, enter an API key.'
    : 'Requests use this API key.'
  const links = endpoints.map(({ name, row }) => `<li><a href="#${name}">${methodTag(row.method)} ${name}</a></li>`)
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
${endpoints.map(section).join('\n')}
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

function section(endpoint: DescribedEndpoint): string {
  const { name, path, row, description, input, output, inputRows, dataRows, curl } = endpoint
  const json = JSON.stringify(input, null, 2)
  const answer = { success: true, ...(output !== undefined && { data: output }) }
  return `<section class="card" aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
<p>${methodTag(row.method)} <code>${escape(path)}</code></p>
<p>${prose(row.summary)} ${prose(description)}</p>
${table([row.method === 'POST' ? 'field' : 'query parameter', 'type', 'meaning'], inputRows)}
<h3>Request</h3>
<pre class="code curl" tabindex="0">${escape(curl('https://shop.example'))}</pre>
<h3>Response</h3>
${table(['field of `data`', 'type', 'meaning'], dataRows)}
<pre class="code" tabindex="0">${escape(JSON.stringify(answer, null, 2))}</pre>
${errorTable(row.errors)}
<form class="try" data-endpoint="${name}" data-method="${row.method}" data-path="${escape(path)}" data-effect="${escape(row.summary)}">
<label class="strong">Input of ${name}<textarea class="code" rows="${json.split('\n').length}" spellcheck="false">${escape(json)}</textarea></label>
<button class="main-button">Send</button>
<output class="code" hidden></output>
</form>
</section>`
}

function errorTable(codes: readonly ErrorCode[]): string {
  return table(
    ['status', 'error code', 'when'],
    codes.map((code) => [String(errorRow(code).status), `\`${code}\``, causeOf(code)]),
  )
}

/** Returns a table of texts with code in backticks; an empty string without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${prose(cell)}</td>`).join('')}</tr>`
  const heads = head.map((cell) => `<th scope="col">${prose(cell)}</th>`).join('')
  return `<table><thead><tr>${heads}</tr></thead><tbody>${rows.map(cells).join('')}</tbody></table>`
}

function methodTag(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** Converts plain text with backticks to HTML. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}
