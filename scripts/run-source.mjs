import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

/**
 * Runs a package's command from its sources, without a build. This file is JavaScript, because no TypeScript loader is
 * active.
 */
export async function runSource(source) {
  // Resolves the packages with the `paths` in the root tsconfig.json, from any working directory.
  register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) })
  const page = new URL('build-page.ts', import.meta.url)
  if (source.pathname.includes('/host/')) await import(page.href)
  await import(source.href)
}
