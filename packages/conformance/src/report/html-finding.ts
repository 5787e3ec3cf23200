import { escapeHtml as h } from './escape-html.ts'
import type { Finding, ReceivedAnswer, ReportResult } from './report.ts'

/** What a check found, with the call to repeat it. */
export function findingCard({ id, title, outcome, finding }: ReportResult): string {
  if (finding === null) return ''
  return [
    `<article class="card finding ${outcome}" id="${h(id)}">`,
    `<h3>${inline(title)}</h3>`,
    `<p class="soft"><span class="badge ${outcome}">${h(finding.requirement)}</span><code>${h(id)}</code></p>`,
    `<dl>${rowsOf(finding).join('\n')}</dl>`,
    '</article>',
  ].join('\n')
}

/** How a check came out, as a badge. */
export function markOf({ outcome }: ReportResult): string {
  return `<span class="badge ${outcome}">${outcome}</span>`
}

function rowsOf({ curl, answer, received, expected, source, sentence, cause, before }: Finding): readonly string[] {
  const calls = before.length === 0 ? '' : fold('The calls before', before.join('\n'))
  return [
    curl === null ? '' : row('Call', `<pre>${h(curl)}</pre>${calls}`),
    row('Came back', answer === null ? `<pre>${h(received)}</pre>` : answerOf(answer)),
    row('Expected', `<pre>${h(expected.replaceAll('`', ''))}</pre>`),
    answer === null || isWhole(received) ? '' : row('Found', `<pre>${h(received)}</pre>`),
    row('Says so', `${h(source)}: ${inline(sentence)}`),
    row('Usually', inline(cause)),
  ].filter((line) => line !== '')
}

/** Whether what was found is the answer as a whole, which is shown already. */
function isWhole(received: string): boolean {
  return received === 'something else' || /^\d{3} /.test(received)
}

function answerOf({ status, headers, body }: ReceivedAnswer): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `<pre>${h(`${status} ${body === '' ? 'without a body' : indentJson(body)}`)}</pre>${fold('Its headers', lines)}`
}

/** JSON with line ends, since what shops send has none. */
function indentJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function fold(title: string, text: string): string {
  return text === ''
    ? ''
    : `<details class="inner"><summary class="soft">${h(title)}</summary><pre>${h(text)}</pre></details>`
}

function row(name: string, value: string): string {
  return `<dt>${name}</dt><dd>${value}</dd>`
}

/** Text in which backticks stand for code, as HTML. */
export function inline(text: string): string {
  return h(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
