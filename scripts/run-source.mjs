import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

/**
 * Runs the command of a package from its sources, so that it works in a clone before anything was built.
 *
 * It is JavaScript because nothing has made Node read TypeScript before it.
 */
export async function runSource(source) {
  // The packages find each other by the `paths` of the root, wherever the command is called.
  register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) })
  const page = new URL('build-page.ts', import.meta.url)
  if (source.pathname.includes('/host/')) await import(page.href)
  await import(source.href)
}
