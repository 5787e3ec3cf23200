import { describeCounts, describeRun } from './create-report.ts'
import { escapeUnsafe } from '../http/escape.ts'
import { findingRows } from './finding.ts'
import type { Finding, FoundCause, Report, ReportGroup, ReportResult } from './report.ts'

/** Formats a report as a self-contained HTML page, which a merchant can send to the email platform. */
export function toHtml(report: Report): string {
  const { address, verdict, startedAt, kit, groups, parts } = report
  const word = verdict ?? 'Selected checks'
  const shown = parts.map(({ title, shown: isShown, missing }) => {
    return `<li>${isShown ? '✓' : '✗'} ${h(title)}${isShown ? '' : ` <small>not offered: ${h(missing.join(', '))}</small>`}</li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
<title>${h(word)}: ${h(address)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p><span class="verdict ${word.toLowerCase().replace(/[^a-z]+/g, '-')}">${h(word)}</span></p>
<h1>${h(address)}</h1>
<p class="soft">${h(`${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC · ${describeRun(report)}`)}</p>
<p><b>${h(describeCounts(report.counts).join(', '))}</b></p>
${report.sentences.map((sentence) => `<p>${inline(sentence)}</p>`).join('\n')}
${report.causes.map((cause) => causeCard(cause, report)).join('\n')}
${shown.length === 0 ? '' : `<h2>Widgets and buttons in the email</h2>\n<ul class="parts">${shown.join('\n')}</ul>`}
<h2>All checks</h2>
${groups.map(groupCard).join('\n')}
<footer>Created by ${h(kit)}. The curl commands read the API key from an environment variable. The report contains no key.</footer>
</main>
</body>
</html>
`
}

/** Returns a collapsed section for a cause with all of its findings. */
function causeCard({ outcome, cause, checks }: FoundCause, { groups }: Report): string {
  const results = groups.flatMap((group) => group.results)
  const found = checks.flatMap((id) => results.find((result) => result.id === id) ?? [])
  return `<details class="card cause ${outcome}"><summary>${badge(outcome)} ${inline(cause)} <b>${checks.length}</b></summary>
${found.map(findingCard).join('\n')}</details>`
}

function findingCard({ id, title, finding }: ReportResult): string {
  if (finding === null) return ''
  return `<article id="${h(id)}">
<h3>${inline(title)}</h3>
<p class="soft"><code>${h(id)}</code></p>
<dl>${rowsOf(finding).join('\n')}</dl>
</article>`
}

function rowsOf(finding: Finding): readonly string[] {
  return findingRows(finding).map(({ name, value, isCode }) => {
    const more =
      name === 'request'
        ? fold('Preceding requests', finding.before.join('\n'))
        : name === 'response'
          ? fold('Response headers', (finding.answer?.headers ?? []).map((line) => line.join(': ')).join('\n'))
          : ''
    return `<dt>${name}</dt><dd>${isCode ? `<pre>${h(value)}</pre>` : inline(value)}${more}</dd>`
  })
}

function fold(title: string, text: string): string {
  return text === '' ? '' : `<details><summary class="soft">${title}</summary><pre>${h(text)}</pre></details>`
}

function groupCard({ title, counts, results }: ReportGroup): string {
  const rows = results.map(({ id, title: sentence, outcome, reason, finding }) => {
    const words = finding === null ? inline(sentence) : `<a href="#${h(id)}">${inline(sentence)}</a>`
    const why = reason === null ? '' : `<p class="soft">${h(reason)}</p>`
    return `<tr><td>${badge(outcome)}</td><td><p>${words}</p><p class="soft"><code>${h(id)}</code></p>${why}</td></tr>`
  })
  return `<details class="card"><summary>${h(title)} <span class="soft">${h(describeCounts(counts).join(' · '))}</span></summary>
<table>${rows.join('\n')}</table></details>`
}

function badge(outcome: ReportResult['outcome']): string {
  return `<span class="badge ${outcome}">${outcome}</span>`
}

/** Converts a string with backticks for code to HTML. */
function inline(text: string): string {
  return h(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a string for HTML text and quoted attributes. */
function h(text: string): string {
  return escapeUnsafe(text).replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)
}

/** Styles for light and dark mode, small screens and print. */
const style = `
:root { color-scheme: light dark; --line: #8886; --soft: color-mix(in srgb, currentColor 70%, transparent); --good: #1a7f4f; --bad: #c5362b; --warn: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd398; --bad: #ff9085; --warn: #f0b95a; } }
* { box-sizing: border-box; }
body { margin: 0; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1, h3, summary, td, dd { overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .35rem 0; } .soft, footer, dt, small { color: var(--soft); } summary { cursor: pointer; }
.verdict { font-weight: 700; font-size: 1.15rem; padding: .45rem 1.1rem; border: 2px solid; border-radius: .6rem; }
.badge { font-size: .78rem; font-weight: 600; border: 1px solid; border-radius: .35rem; padding: .05rem .5rem; white-space: nowrap; }
.verdict.ready, .verdict.not-tried, .badge.passed { color: var(--good); }
.verdict.not-conforming, .verdict.conforms-not-ready, .badge.failed { color: var(--bad); }
.verdict.not-checked, .verdict.incomplete, .badge.warning { color: var(--warn); }
.card { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1.15rem; margin: .75rem 0; }
.parts { columns: 14rem; padding: 0; list-style: none; }
dl { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .45rem 1rem; margin: .75rem 0 0; } dd { margin: 0; }
pre { margin: 0; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: .45rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 18rem; overflow: auto; }
pre, code { font-family: ui-monospace, "SF Mono", Consolas, monospace; font-size: .88em; }
table { width: 100%; border-collapse: collapse; margin-top: .75rem; font-size: .92rem; }
td { border-top: 1px solid var(--line); padding: .4rem .5rem .4rem 0; vertical-align: top; } td:first-child { width: 5.5rem; }
footer { margin-top: 3rem; font-size: .88rem; }
@media (max-width: 36rem) { dl { grid-template-columns: minmax(0, 1fr); gap: .1rem; } dd { margin-bottom: .5rem; } }
@media print { pre { max-height: none; } }
`.trim()
