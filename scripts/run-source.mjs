import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

/** Runs the command of a package from its sources, so that it works in a clone without a build. JavaScript, because no TypeScript loader is active yet. */
export async function runSource(source) {
  // The `paths` in the root tsconfig.json resolve the packages, independent of the working directory.
  register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) })
  const page = new URL('build-page.ts', import.meta.url)
  if (source.pathname.includes('/host/')) await import(page.href)
  await import(source.href)
}
