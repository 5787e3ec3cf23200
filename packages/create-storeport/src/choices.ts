/** What a project can be mounted on. */
export const frameworks = {
  node: { label: 'Node alone', hint: 'a server of its own' },
  express: { label: 'Express', hint: 'version 5' },
  next: { label: 'Next.js', hint: 'App Router' },
  fastify: { label: 'Fastify', hint: 'version 5' },
  hono: { label: 'Hono', hint: 'on Node' },
  worker: { label: 'Cloudflare Worker', hint: 'with a store of your own only' },
} as const

/** Where a project's data can be. */
export const stores = {
  own: { label: 'Your own', hint: 'a typed store to fill in, with a small catalogue in memory' },
  sqlite: { label: 'SQLite', hint: 'a complete store in a file' },
  postgres: { label: 'PostgreSQL', hint: 'a complete store in your database' },
} as const

/** The name of a framework, as `--framework` takes it. */
export type Framework = keyof typeof frameworks

/** The name of a store, as `--store` takes it. */
export type Store = keyof typeof stores

/** The frameworks, in the order in which they are offered. */
export const frameworkNames: readonly Framework[] = Object.keys(frameworks).filter(isFramework)

/** Whether a word is the name of a framework. */
export function isFramework(word: string): word is Framework {
  return Object.hasOwn(frameworks, word)
}

/** Whether a word is the name of a store. */
export function isStore(word: string): word is Store {
  return Object.hasOwn(stores, word)
}

/** The stores that run where a framework runs, in the order in which they are offered. */
export function storesFor(framework: Framework): readonly Store[] {
  return framework === 'worker' ? ['own'] : Object.keys(stores).filter(isStore)
}
