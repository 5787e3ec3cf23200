import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Everything that axe finds on a page, whatever its impact, as one line each. */
export async function findAxe(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  // A transition of colours would be measured half way.
  await page.evaluate('Promise.all(document.getAnimations().map((animation) => animation.finished))')
  return page.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => impact + ' ' + id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`)
}
