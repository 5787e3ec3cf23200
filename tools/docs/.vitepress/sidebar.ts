import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { pagePath, root } from './pages.ts'

type Pages = Readonly<Record<string, string>>

const guide = 'docs/guide'

/** Groups of the sidebar: the title of each page and its source file, or its file and a heading. */
const groups: Readonly<Record<string, Pages>> = {
  'Get started': {
    'What is StorePort': 'README.md',
    Quickstart: `${guide}/start.md`,
    Tutorial: `${guide}/tutorial.md`,
    'Install before the first release': `${guide}/obtain.md`,
  },
  Implement: {
    'Your own shop, button by button': `${guide}/own-shop.md`,
    'Your own database': `${guide}/own-database.md`,
    Upsells: `${guide}/your-store/upsells.md`,
    'Customer portal': `${guide}/your-store/portal.md`,
    Reactivate: `${guide}/your-store/reactivate.md`,
    'Custom actions': `${guide}/your-store/custom-actions.md`,
    Discounts: `${guide}/your-store/discounts.md`,
    'Your platform': `${guide}/from-your-platform.md`,
    'Other languages': `${guide}/your-language.md`,
    'Stripe Billing': 'packages/store-stripe/README.md',
    'SQLite and PostgreSQL': 'packages/store-sql/README.md',
    'Rules of the operations': 'packages/rules/README.md',
  },
  Mount: {
    'Every framework': `${guide}/mount.md`,
    Express: 'packages/express/README.md',
    Fastify: 'packages/fastify/README.md',
    'Next.js': 'packages/next/README.md',
    'Node.js': 'packages/node/README.md',
    Hono: `${guide}/mount.md#hono`,
    'Cloudflare Workers': `${guide}/mount.md#cloudflare-workers`,
    'AWS Lambda': `${guide}/mount.md#aws-lambda`,
    NestJS: `${guide}/mount.md#nestjs`,
  },
  Reliability: {
    'How a click takes effect once': `${guide}/retries.md`,
    'SQL adapters': `${guide}/adapters.md`,
    'API keys': `${guide}/keys.md`,
    Redis: 'packages/redis/README.md',
  },
  Run: {
    'Go live': `${guide}/go-live.md`,
    'Guarantees and limits': `${guide}/limits.md`,
    Monitor: `${guide}/operations.md`,
    'Customer support': `${guide}/support.md`,
    'Emergency stop': `${guide}/emergency-stop.md`,
    'Billing and demo data': `${guide}/billing.md`,
    Scaling: `${guide}/scaling.md`,
    Upgrade: `${guide}/upgrade.md`,
    'Security model': `${guide}/security.md`,
  },
  Test: {
    'Conformance kit': `${guide}/conformance.md`,
    'Your own tests': `${guide}/conformance.md#use-it-in-your-test-suite`,
    'Continuous integration': `${guide}/conformance.md#run-it-in-ci`,
    'Memory store': 'packages/store-memory/README.md',
  },
  Reference: {
    API: `${guide}/api.md`,
    Options: `${guide}/options.md`,
    'Error codes': `${guide}/errors.md`,
    Contract: `${guide}/contract.md`,
    'CLI: storeport': 'packages/host/README.md',
    'CLI: storeport-conformance': 'packages/conformance/README.md',
    'CLI: create-storeport': 'packages/create-storeport/README.md',
    'Core package': 'packages/core/README.md',
    'Playground package': 'packages/playground/README.md',
  },
  Help: {
    Troubleshooting: `${guide}/troubleshooting.md`,
    'Frequently asked questions': `${guide}/faq.md`,
    Glossary: `${guide}/glossary.md`,
  },
  Project: {
    'Why StorePort': 'docs/why.md',
    Benchmarks: 'docs/benchmarks.md',
    Changes: 'CHANGELOG.md',
    'Report a vulnerability': 'SECURITY.md',
  },
}

/** Returns the sidebar. Links only to pages that exist. */
export function createSidebar(): DefaultTheme.SidebarItem[] {
  return Object.entries(groups).map(([text, pages]) => ({ text, items: Object.entries(pages).flatMap(itemOf) }))
}

function itemOf([text, target]: readonly [string, string]): DefaultTheme.SidebarItem[] {
  const [file = '', hash] = target.split('#', 2)
  if (!existsSync(join(root, file))) return []
  return [{ text, link: pagePath(file) + (hash === undefined ? '' : `#${hash}`) }]
}

/** Returns the paths of the pages in the sidebar, in its order. */
export function listPaths(): readonly string[] {
  const targets = Object.values(groups).flatMap((pages) => Object.values(pages))
  return targets.filter((file) => !file.includes('#')).map(pagePath)
}
