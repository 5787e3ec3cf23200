import type { Chart } from './section.ts'

const width = 720
const labelWidth = 230
const barHeight = 18
const rowHeight = 26
const titleHeight = 44

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .limit { stroke: #59636e; stroke-dasharray: 3 3 }
  .bar { fill: #afb8c1 }
  .own { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .limit { stroke: #9198a1 }
    .bar { fill: #57606a }
    .own { fill: #4493f8 }
  }`

/** The charts as one SVG image that follows the reader's colour scheme. */
export function chartsOf(charts: readonly Chart[]): string {
  let top = 0
  const parts = charts.map((chart) => {
    const part = chartAt(chart, top)
    top += titleHeight + chart.bars.length * rowHeight + 16
    return part
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}" role="img">`,
    '<title>Speed against the same work by hand, which is 1</title>',
    `<style>${style}\n</style>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function chartAt({ title, bars }: Chart, top: number): string {
  const longest = Math.max(1, ...bars.map(({ value }) => value))
  const scale = (width - labelWidth - 60) / longest
  const limit = labelWidth + scale
  const rows = bars.map(({ label, value, own }, index) => {
    const y = top + titleHeight + index * rowHeight
    const length = (value * scale).toFixed(1)
    return [
      `<text x="${labelWidth - 8}" y="${y + 13}" text-anchor="end">${escaped(label)}</text>`,
      `<rect class="bar${own ? ' own' : ''}" x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`,
      `<text x="${(labelWidth + value * scale + 6).toFixed(1)}" y="${y + 13}">${value.toFixed(2)}</text>`,
    ].join('\n')
  })
  const bottom = top + titleHeight + bars.length * rowHeight
  return [
    `<text class="title" x="8" y="${top + 24}">${escaped(title)} (1 = by hand, longer is faster)</text>`,
    ...rows,
    `<line class="limit" x1="${limit}" x2="${limit}" y1="${top + titleHeight - 6}" y2="${bottom}"/>`,
  ].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
