import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { installTool } from '@storeport/testing/install-tool'
import { chromium } from 'playwright-core'

/*
 * Renders the diagrams of this folder to docs/images, in light and dark colors: `npm run docs:diagrams`. The
 * repository contains the results, because Mermaid is larger than a page.
 */
const folder = import.meta.dirname
const images = resolve(folder, '../../../docs/images')
const find = await installTool('docs')
const mermaid = find.resolve('mermaid').replace(/mermaid\.core\.mjs$/, 'mermaid.min.js')

/** Colors of the site: text, lines, fill of boxes, fill of groups. */
const schemes = {
  light: { ink: '#1e1d1b', line: '#635f58', box: '#e9f1ec', group: '#f8f7f5', ground: '#ffffff' },
  dark: { ink: '#eceae5', line: '#a8a59d', box: '#22312a', group: '#202322', ground: '#191b1a' },
} as const

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false })
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  await page.addScriptTag({ path: mermaid })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mmd'))) {
    const source = readFileSync(join(folder, file), 'utf8')
    const digest = createHash('sha256').update(source).digest('hex')
    for (const scheme of Object.keys(schemes)) {
      const name = `${basename(file, '.mmd')}-${scheme}`
      const svg = await page.evaluate(renderScript(name, source, scheme === 'dark' ? schemes.dark : schemes.light))
      // A test compares the digest with the source.
      writeFileSync(join(images, `${name}.svg`), `<!-- ${digest} -->\n${String(svg)}\n`)
    }
  }
} finally {
  await browser.close()
}

/** Returns the script that renders a diagram in the page. */
function renderScript(name: string, source: string, colors: (typeof schemes)['light' | 'dark']): string {
  const { ink, line, box, group, ground } = colors
  const options = {
    startOnLoad: false,
    theme: 'base',
    deterministicIds: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    sequence: { mirrorActors: false, useMaxWidth: true, width: 110, actorMargin: 30 },
    // These fonts have the same widths, so that labels fit on every system.
    fontFamily: 'Arial, Liberation Sans, Helvetica, sans-serif',
    themeVariables: {
      background: ground,
      primaryColor: box,
      primaryTextColor: ink,
      primaryBorderColor: line,
      lineColor: line,
      textColor: ink,
      clusterBkg: group,
      clusterBorder: line,
      edgeLabelBackground: ground,
      actorBkg: box,
      actorBorder: line,
      actorTextColor: ink,
      signalColor: ink,
      signalTextColor: ink,
      noteBkgColor: group,
      noteBorderColor: line,
      noteTextColor: ink,
    },
  }
  return `mermaid.initialize(${JSON.stringify(options)});
    mermaid.render(${JSON.stringify(name)}, ${JSON.stringify(source)}).then(({ svg }) => svg)`
}
