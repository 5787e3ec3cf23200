/** Frameworks that a project can use. */
export const frameworks = {
  node: { label: 'Node.js', hint: 'without a framework' },
  express: { label: 'Express', hint: 'version 5' },
  fastify: { label: 'Fastify', hint: 'version 5' },
  next: { label: 'Next.js', hint: 'App Router' },
  hono: { label: 'Hono', hint: 'on Node' },
} as const

/** Stores that a project can use. */
export const stores = {
  own: { label: 'Your own', hint: 'a typed template with a small catalog in memory' },
  sql: { label: 'SQLite or PostgreSQL', hint: 'a complete store in a database' },
  stripe: { label: 'Stripe', hint: 'subscriptions in Stripe Billing' },
  drizzle: { label: 'Your own tables, Drizzle', hint: 'on PostgreSQL' },
  prisma: { label: 'Your own tables, Prisma', hint: 'on PostgreSQL' },
} as const

/** Name of a framework, as passed to `--framework`. */
export type Framework = keyof typeof frameworks

/** Name of a store, as passed to `--store`. */
export type Store = keyof typeof stores

/** Choices that define a project. */
export interface Choice {
  /** Folder to create. */
  readonly folder: string
  /** Framework that the integration is mounted on. */
  readonly framework: Framework
  /** Store of the project. */
  readonly store: Store
}

/** Kind of a store. The stores of the kind `tables` differ only in the database library. */
export type Kind = 'own' | 'sql' | 'stripe' | 'tables'

/** Returns the kind of a store. */
export function kindOf(store: Store): Kind {
  return store === 'drizzle' || store === 'prisma' ? 'tables' : store
}

/** Profile file of each kind of store, for the checks and the playground. */
export const profiles = {
  own: 'conformance-profile.json',
  tables: 'profile.jsonc',
  sql: 'playground-profile.json',
  stripe: 'conformance-profile.json',
} as const

/** Names of the frameworks, in the sequence of the prompt. */
export const frameworkNames = namesOf(frameworks)

/** Names of the stores, in the sequence of the prompt. */
export const storeNames = namesOf(stores)

function namesOf<Name extends string>(choices: Readonly<Record<Name, object>>): readonly Name[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- Object.keys loses the names of the keys
  return Object.keys(choices) as Name[]
}
