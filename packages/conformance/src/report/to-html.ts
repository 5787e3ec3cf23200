import type { ShownPart } from '@storeport/core'
import { findingRows } from './finding.ts'
import type { Finding, FoundCause, ReceivedAnswer, Report, ReportGroup, ReportResult } from './report.ts'
import { describeCounts, describeRun, plural } from './create-report.ts'

/** Formats a report as a self-contained HTML page, which a merchant can send to the email platform. */
export function toHtml(report: Report): string {
  const { address, verdict, startedAt, kit, groups, causes } = report
  const word = verdict ?? 'Selected checks'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
<title>${h(word)}: ${h(address)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<main>
<header>
<div>
<h1>${h(address)}</h1>
<p class="soft">${h(formatDate(startedAt))} · ${h(describeRun(report))}</p>
</div>
<span class="verdict ${word.toLowerCase().replace(/[^a-z]+/g, '-')}">${h(word)}</span>
</header>
${countTiles(report)}
${report.sentences.map((sentence) => `<p>${h(sentence)}</p>`).join('\n')}
${causeList(causes)}
${partsCard(report.parts)}
${causeCards('Failures', 'failed', report)}
${causeCards('Recommendations', 'warning', report)}
<h2>All checks</h2>
${groups.map(groupCard).join('\n')}
<footer>Created by ${h(kit)}. The curl commands read the API key from an environment variable. The report contains no key.</footer>
</main>
</body>
</html>
`
}

function countTiles({ counts }: Report): string {
  const tiles = [
    ['passed', counts.passed, 'passed'],
    ['failed', counts.failed, 'failed'],
    ['warning', counts.warnings, counts.warnings === 1 ? 'warning' : 'warnings'],
    ['skipped', counts.skipped, 'skipped'],
  ] as const
  const items = tiles.map(([style, count, word]) => {
    return `<li class="${count === 0 && style !== 'passed' ? 'skipped' : style}"><b>${count}</b>${word}</li>`
  })
  return `<ul class="counts">${items.join('')}</ul>`
}

function partsCard(parts: readonly ShownPart[]): string {
  if (parts.length === 0) return ''
  const widgets = parts.filter(({ isButton }) => !isButton)
  const items = widgets.map((widget) => {
    const buttons = parts.filter((part) => part.isButton && part.widget === widget.widget)
    const inner =
      buttons.length === 0 ? '' : `<ul>${buttons.map((part) => `<li>${describePart(part)}</li>`).join('')}</ul>`
    return `<li>${describePart(widget)}${inner}</li>`
  })
  return `<h2>What the email platform will show</h2>\n<div class="card"><ul class="parts">${items.join('\n')}</ul></div>`
}

function describePart({ title, shown, missing }: ShownPart): string {
  const mark = shown ? '<span class="mark yes">✓</span>' : '<span class="mark no">✗</span>'
  const why = `hidden: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not offered`
  return `${mark}${h(title)}${shown ? '' : `<small>${h(why)}</small>`}`
}

/** Maximum number of causes at the top, so that they fit on one screen. */
const maxListed = 8

/** Returns a list of failure causes with links to the findings. */
function causeList(causes: readonly FoundCause[]): string {
  const failed = causes.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return ''
  const items = failed.slice(0, maxListed).map(({ checks: [first = '', ...others], cause }) => {
    return `<li><a href="#${h(first)}">${inline(cause)}</a> <b>${others.length + 1}</b></li>`
  })
  const more =
    failed.length > maxListed ? `<li class="soft">and ${plural(failed.length - maxListed, 'more cause')}</li>` : ''
  return `<ol class="causes">${items.join('\n')}${more}</ol>`
}

/** Returns a collapsed section for each cause. One outer section collapses all warnings. */
function causeCards(title: string, wanted: FoundCause['outcome'], { causes, groups }: Report): string {
  const chosen = causes.filter(({ outcome }) => outcome === wanted)
  if (chosen.length === 0) return ''
  const results = groups.flatMap((group) => group.results)
  const cards = chosen.map(({ cause, checks }) => {
    const found = checks.flatMap((id) => results.find((result) => result.id === id) ?? [])
    const summary = `<b>${checks.length}</b> <span class="soft">${inline(cause)}</span>`
    return `<details class="card cause ${wanted}"><summary>${summary}</summary>\n${found.map(findingCard).join('\n')}</details>`
  })
  const count = chosen.reduce((sum, { checks }) => sum + checks.length, 0)
  if (wanted === 'failed') return `<h2>${h(title)} (${count})</h2>\n${cards.join('\n')}`
  return `<details class="all"><summary><h2>${h(title)} (${count})</h2></summary>\n${cards.join('\n')}</details>`
}

function groupCard({ title, counts, results }: ReportGroup): string {
  const rows = results.map((result) => `<tr><td>${markOf(result)}</td><td>${describeCheck(result)}</td></tr>`)
  const summary = `${h(title)} <span class="soft">${h(describeCounts(counts).join(' · '))}</span>`
  return `<details class="card"><summary>${summary}</summary>\n<table>${rows.join('\n')}</table></details>`
}

function describeCheck({ id, title, reason, finding }: ReportResult): string {
  const why = reason === null ? '' : `<p class="soft">${h(reason)}</p>`
  const words = finding === null ? inline(title) : `<a href="#${h(id)}">${inline(title)}</a>`
  return `<p>${words}</p><p class="soft"><code>${h(id)}</code></p>${why}`
}

function formatDate(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`
}

/** Returns a finding with the curl command to reproduce it. */
function findingCard({ id, title, outcome, finding }: ReportResult): string {
  if (finding === null) return ''
  return [
    `<article class="card finding ${outcome}" id="${h(id)}">`,
    `<h3>${inline(title)}</h3>`,
    `<p class="soft"><span class="badge ${outcome}">${h(finding.requirement)}</span><code>${h(id)}</code></p>`,
    `<dl>${rowsOf(finding).join('\n')}</dl>`,
    '</article>',
  ].join('\n')
}

/** Returns the outcome of a check as a badge. */
function markOf({ outcome }: ReportResult): string {
  return `<span class="badge ${outcome}">${outcome}</span>`
}

function rowsOf(finding: Finding): readonly string[] {
  return findingRows(finding).map(({ name, value, isCode }) => {
    const title = name.slice(0, 1).toUpperCase() + name.slice(1)
    if (name === 'request')
      return row(title, `<pre>${h(value)}</pre>${fold('Preceding requests', finding.before.join('\n'))}`)
    if (name === 'response' && finding.answer !== null) return row(title, nextReply(finding.answer))
    return row(title, isCode ? `<pre>${h(value)}</pre>` : inline(value))
  })
}

function nextReply({ status, headers, body }: ReceivedAnswer): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `<pre>${h(`${status} ${body === '' ? 'without a body' : indentJson(body)}`)}</pre>${fold('Response headers', lines)}`
}

/** Indents JSON, since most shops send JSON on one line. */
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

/** Converts a string with backticks for code to HTML. */
function inline(text: string): string {
  return h(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Escapes a string for HTML text and quoted attributes. Replaces control characters and lone surrogates. */
function h(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
}

/** Styles for light and dark mode, small screens and print. */
const htmlStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --line: #dfe3e8; --text: #1c2430; --soft: #586474; --code: #f1f3f6;
  --good: #146c43; --good-back: #e3f4ea; --bad: #b42318; --bad-back: #fdecea; --warn: #8a5300; --warn-back: #fdf1dc;
  --none: #586474; --none-back: #eceff3; --link: #1f5fbf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --line: #2d3643; --text: #e6eaf0; --soft: #9aa7b8; --code: #11151b;
    --good: #5fd398; --good-back: #12301f; --bad: #ff9085; --bad-back: #3a1815; --warn: #f0b95a; --warn-back: #33260d;
    --none: #9aa7b8; --none-back: #262e39; --link: #8ab8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
header { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 1rem 1.5rem; }
header > div { flex: 1 1 20rem; min-width: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p { margin: .35rem 0; }
.soft { color: var(--soft); }
.verdict { font-weight: 700; font-size: 1.15rem; padding: .45rem 1.1rem; border-radius: .6rem; white-space: nowrap; }
.ready, .not-tried, .passed { color: var(--good); background: var(--good-back); }
.not-conforming, .conforms-not-ready, .failed { color: var(--bad); background: var(--bad-back); }
.not-checked, .incomplete, .warning { color: var(--warn); background: var(--warn-back); }
.skipped, .selected-checks { color: var(--none); background: var(--none-back); }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.5rem 0 1rem; padding: 0; list-style: none; }
.counts li { border-radius: .6rem; padding: .6rem .9rem; }
.counts b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.15rem; margin: .75rem 0; }
.parts { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .9rem 1.5rem; margin: 0; padding: 0; list-style: none; }
.parts ul { margin: 0; padding: 0 0 0 1.5rem; list-style: none; }
.parts small { display: block; color: var(--soft); padding-left: 1.5rem; }
.mark { display: inline-block; width: 1.5rem; font-weight: 700; }
.yes { color: var(--good); } .no { color: var(--bad); }
.finding { border-left: .3rem solid var(--line); }
.finding.failed, .finding.warning { color: inherit; background: var(--card); }
.finding.failed { border-left-color: var(--bad); } .finding.warning { border-left-color: var(--warn); }
.finding h3 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
.causes { margin: .75rem 0; padding: 0 0 0 1.25rem; } .causes li { margin: .2rem 0; overflow-wrap: anywhere; }
.cause > summary { overflow-wrap: anywhere; } .cause > .finding { margin: .75rem 0 0; }
.cause.failed, .cause.warning { color: inherit; background: var(--card); }
.all > summary h2 { display: inline; margin: 0; } .all > summary { margin: 2rem 0 .75rem; cursor: pointer; }
.badge { display: inline-block; font-size: .78rem; font-weight: 600; border-radius: .35rem; padding: .05rem .5rem; margin-right: .4rem; white-space: nowrap; }
dl { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .45rem 1rem; align-items: baseline; margin: .75rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
pre { margin: 0; padding: .5rem .7rem; background: var(--code); border: 1px solid var(--line); border-radius: .45rem; font: .84rem/1.45 ui-monospace, "SF Mono", Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 18rem; overflow: auto; }
code { font: .88em ui-monospace, "SF Mono", Consolas, monospace; }
details > summary { cursor: pointer; }
details.card > summary { font-weight: 600; }
details.card > summary .soft { font-weight: 400; margin-left: .5rem; }
details.inner { margin-top: .5rem; } details.inner pre { margin-top: .35rem; }
table { width: 100%; border-collapse: collapse; margin-top: .75rem; font-size: .92rem; }
td { border-top: 1px solid var(--line); padding: .4rem .5rem .4rem 0; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { width: 5.5rem; }
td p { margin: 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
footer { margin-top: 3rem; color: var(--soft); font-size: .88rem; }
@media (max-width: 36rem) { h1 { font-size: 1.2rem; } dl { grid-template-columns: minmax(0, 1fr); gap: .1rem; } dd { margin-bottom: .5rem; } }
@media print { body { background: none; } .card { break-inside: avoid; } pre { max-height: none; } }
`.trim()
