import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { slugify } from './adapt-markdown.ts'
import { pagePath, root } from './pages.ts'

const guide = 'docs/guide'

/** Groups of the sidebar: the source file of each page, or its file and the id of a heading. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Get started': ['docs/why.md', `${guide}/start.md`, `${guide}/tutorial.md`, `${guide}/obtain.md`],
  Implement: [
    `${guide}/own-shop.md`,
    `${guide}/own-database.md`,
    `${guide}/your-store/upsells.md`,
    `${guide}/your-store/portal.md`,
    `${guide}/your-store/reactivate.md`,
    `${guide}/your-store/custom-actions.md`,
    `${guide}/your-store/discounts.md`,
    `${guide}/from-your-platform.md`,
    `${guide}/your-language.md`,
    'packages/store-stripe/README.md',
    'packages/store-sql/README.md',
    'packages/rules/README.md',
  ],
  Mount: [
    `${guide}/mount.md`,
    'packages/express/README.md',
    'packages/fastify/README.md',
    'packages/next/README.md',
    'packages/node/README.md',
    `${guide}/mount.md#hono`,
    `${guide}/mount.md#cloudflare-workers`,
    `${guide}/mount.md#aws-lambda`,
    `${guide}/mount.md#nestjs`,
  ],
  Reliability: [`${guide}/retries.md`, `${guide}/adapters.md`, `${guide}/keys.md`, 'packages/redis/README.md'],
  Run: [
    `${guide}/go-live.md`,
    `${guide}/limits.md`,
    `${guide}/operations.md`,
    `${guide}/support.md`,
    `${guide}/emergency-stop.md`,
    `${guide}/billing.md`,
    `${guide}/scaling.md`,
    `${guide}/upgrade.md`,
    `${guide}/security.md`,
  ],
  Test: [
    `${guide}/conformance.md`,
    `${guide}/conformance.md#use-it-in-your-test-suite`,
    `${guide}/conformance.md#run-it-in-ci`,
    'packages/store-memory/README.md',
  ],
  Reference: [
    `${guide}/api.md`,
    `${guide}/options.md`,
    `${guide}/errors.md`,
    `${guide}/contract.md`,
    'packages/host/README.md',
    'packages/conformance/README.md',
    'packages/create-storeport/README.md',
    'packages/core/README.md',
    'packages/playground/README.md',
  ],
  Help: [`${guide}/troubleshooting.md`, `${guide}/faq.md`, `${guide}/glossary.md`],
  Project: ['docs/benchmarks.md', 'CHANGELOG.md', 'SECURITY.md'],
}

/** Returns the sidebar. Links only to pages that exist. The name of a link is the title of its page or section. */
export function createSidebar(): DefaultTheme.SidebarItem[] {
  return Object.entries(groups).map(([text, targets]) => ({ text, items: targets.flatMap(itemOf) }))
}

function itemOf(target: string): DefaultTheme.SidebarItem[] {
  const [file = '', hash] = target.split('#', 2)
  if (!existsSync(join(root, file))) return []
  const headings = [...readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = '']) => heading,
  )
  const title = hash === undefined ? headings[0] : headings.find((heading) => slugify(heading) === hash)
  if (title === undefined) throw new Error(`sidebar: ${target} does not exist`)
  return [{ text: title.replaceAll('`', ''), link: pagePath(file) + (hash === undefined ? '' : `#${hash}`) }]
}

/** Returns the paths of the pages in the sidebar, in its order. */
export function listPaths(): readonly string[] {
  return Object.values(groups)
    .flat()
    .filter((file) => !file.includes('#'))
    .map(pagePath)
}
