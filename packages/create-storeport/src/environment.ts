import type { Store } from './choices.ts'

/** The text of `.env`, and of its example without a key. */
export function environment(store: Store, apiKey: string): string {
  const lines = [
    '# What the caller sends with every call. Keep it out of version control.',
    `STOREPORT_API_KEY=${apiKey}`,
    '# Where the server is, for the pictures of the example, `npm run check` and `npm run playground`.',
    'STOREPORT_URL=http://127.0.0.1:3000',
  ]
  if (store === 'own') return [...lines, ''].join('\n')
  return [
    ...lines,
    `DATABASE_URL=${store === 'sqlite' ? 'sqlite:store.db' : 'postgres://postgres:postgres@127.0.0.1:5432/postgres'}`,
    '# Fills an empty database with a small shop to try things on. Take it out before your own data goes in.',
    'SEED=yes',
    ...(store === 'postgres'
      ? ['# The password of the database that compose.yaml starts; choose one.', 'POSTGRES_PASSWORD=']
      : []),
    '',
  ].join('\n')
}
