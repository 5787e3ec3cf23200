import type { ShownPart } from '@storeport/core'
import { escapeHtml as h } from './escape-html.ts'
import { findingCard, inline, markOf } from './html-finding.ts'
import { htmlStyle } from './html-style.ts'
import type { FoundCause, Report, ReportGroup, ReportResult } from './report.ts'
import { countWords, runWords } from './words.ts'

/** A report as one page that needs nothing else: a merchant can send it to the caller. */
export function toHtml(report: Report): string {
  const { address, verdict, startedAt, kit, groups, causes } = report
  const word = verdict ?? 'Chosen checks'
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
<p class="soft">${h(dateWords(startedAt))} · ${h(runWords(report))}</p>
</div>
<span class="verdict ${word.toLowerCase().replace(/[^a-z]+/g, '-')}">${h(word)}</span>
</header>
${countTiles(report)}
${report.sentences.map((sentence) => `<p>${h(sentence)}</p>`).join('\n')}
${causeList(causes)}
${partsCard(report.parts)}
${causeCards('What must be fixed', 'failed', report)}
${causeCards('Warnings', 'warning', report)}
<h2>Every check</h2>
${groups.map(groupCard).join('\n')}
<footer>Made by ${h(kit)}. The calls take the API key from a variable of the shell; the report holds no key.</footer>
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
      buttons.length === 0 ? '' : `<ul>${buttons.map((part) => `<li>${partWords(part)}</li>`).join('')}</ul>`
    return `<li>${partWords(widget)}${inner}</li>`
  })
  return `<h2>What the caller will show</h2>\n<div class="card"><ul class="parts">${items.join('\n')}</ul></div>`
}

function partWords({ title, shown, missing }: ShownPart): string {
  const mark = shown ? '<span class="mark yes">✓</span>' : '<span class="mark no">✗</span>'
  const why = `hidden: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not offered`
  return `${mark}${h(title)}${shown ? '' : `<small>${h(why)}</small>`}`
}

/** How many causes are listed at the top: as many as one screen holds. */
const mostListed = 8

/** What must be fixed, as a list that leads to it. */
function causeList(causes: readonly FoundCause[]): string {
  const failed = causes.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return ''
  const items = failed.slice(0, mostListed).map(({ checks: [first = '', ...others], title, cause }) => {
    return `<li><a href="#${h(first)}">${h(title)}</a> <b>${others.length + 1}</b> ${inline(cause)}</li>`
  })
  const more = failed.length > mostListed ? `<li class="soft">and ${failed.length - mostListed} more causes</li>` : ''
  return `<ol class="causes">${items.join('\n')}${more}</ol>`
}

/** The findings by cause, each folded, the warnings all together as well. */
function causeCards(title: string, wanted: FoundCause['outcome'], { causes, groups }: Report): string {
  const chosen = causes.filter(({ outcome }) => outcome === wanted)
  if (chosen.length === 0) return ''
  const results = groups.flatMap((group) => group.results)
  const cards = chosen.map(({ title: family, cause, checks }) => {
    const found = checks.flatMap((id) => results.find((result) => result.id === id) ?? [])
    const summary = `${h(family)} <b>${checks.length}</b> <span class="soft">${inline(cause)}</span>`
    return `<details class="card cause ${wanted}"><summary>${summary}</summary>\n${found.map(findingCard).join('\n')}</details>`
  })
  const count = chosen.reduce((sum, { checks }) => sum + checks.length, 0)
  if (wanted === 'failed') return `<h2>${h(title)} (${count})</h2>\n${cards.join('\n')}`
  return `<details class="all"><summary><h2>${h(title)} (${count})</h2></summary>\n${cards.join('\n')}</details>`
}

function groupCard({ title, counts, results }: ReportGroup): string {
  const rows = results.map((result) => `<tr><td>${markOf(result)}</td><td>${checkWords(result)}</td></tr>`)
  const summary = `${h(title)} <span class="soft">${h(countWords(counts).join(' · '))}</span>`
  return `<details class="card"><summary>${summary}</summary>\n<table>${rows.join('\n')}</table></details>`
}

function checkWords({ id, title, reason, finding }: ReportResult): string {
  const why = reason === null ? '' : `<p class="soft">${h(reason)}</p>`
  const words = finding === null ? inline(title) : `<a href="#${h(id)}">${inline(title)}</a>`
  return `<p>${words}</p><p class="soft"><code>${h(id)}</code></p>${why}`
}

function dateWords(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`
}
