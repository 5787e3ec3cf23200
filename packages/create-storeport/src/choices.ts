/** Frameworks that a project can use. */
export const frameworks = {
  node: { label: 'Node.js', hint: 'without a framework' },
  express: { label: 'Express', hint: 'version 5' },
  next: { label: 'Next.js', hint: 'App Router' },
  fastify: { label: 'Fastify', hint: 'version 5' },
  hono: { label: 'Hono', hint: 'on Node' },
  worker: { label: 'Cloudflare Worker', hint: 'only with your own store' },
} as const

/** Stores that a project can use. */
export const stores = {
  own: { label: 'Your own', hint: 'a typed template with a small catalog in memory' },
  sqlite: { label: 'SQLite', hint: 'a complete store in a SQLite file' },
  postgres: { label: 'PostgreSQL', hint: 'a complete store in your database' },
  stripe: { label: 'Stripe', hint: 'subscriptions in Stripe Billing' },
  'own-drizzle': { label: 'Your own tables, Drizzle', hint: 'on PostgreSQL' },
  'own-drizzle-mariadb': { label: 'Your own tables, Drizzle', hint: 'on MariaDB' },
  'own-kysely': { label: 'Your own tables, Kysely', hint: 'on PostgreSQL' },
  'own-prisma': { label: 'Your own tables, Prisma', hint: 'on PostgreSQL' },
} as const

/** Name of a framework, as passed to `--framework`. */
export type Framework = keyof typeof frameworks

/** Name of a store, as passed to `--store`. */
export type Store = keyof typeof stores

/**
 * Returns the kind of a store: in memory (`own`), your own tables (`tables`), `@storeport/store-sql` (`sql`), or
 * `@storeport/store-stripe` (`stripe`).
 */
export function kindOf(store: Store): 'own' | 'tables' | 'sql' | 'stripe' {
  if (store === 'own' || store === 'stripe') return store
  return store.startsWith('own-') ? 'tables' : 'sql'
}

/** Names of the frameworks, in the sequence of the prompt. */
export const frameworkNames: readonly Framework[] = Object.keys(frameworks).filter(isFramework)

/** Whether a word is the name of a framework. */
export function isFramework(word: string): word is Framework {
  return Object.hasOwn(frameworks, word)
}

/** Whether a word is the name of a store. */
export function isStore(word: string): word is Store {
  return Object.hasOwn(stores, word)
}

/** Returns the stores that a framework supports, in the sequence of the prompt. */
export function storesFor(framework: Framework): readonly Store[] {
  return framework === 'worker' ? ['own'] : Object.keys(stores).filter(isStore)
}
