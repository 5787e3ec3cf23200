import { escapeHtml as h } from './escape-html.ts'
import { findingRows } from './finding-rows.ts'
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

function rowsOf(finding: Finding): readonly string[] {
  return findingRows(finding).map(({ name, value, isCode }) => {
    const title = name.slice(0, 1).toUpperCase() + name.slice(1)
    if (name === 'call')
      return row(title, `<pre>${h(value)}</pre>${fold('The calls before', finding.before.join('\n'))}`)
    if (name === 'came back' && finding.answer !== null) return row(title, answerOf(finding.answer))
    return row(title, isCode ? `<pre>${h(value)}</pre>` : inline(value))
  })
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
