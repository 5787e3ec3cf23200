import type { Integration } from '@storeport/core'

/** The path from the base path on: Next leaves the folders above it in. Throws TypeError when there is no such folder. */
export function fromBasePath(url: string, { basePath }: Integration): string {
  const start = `${url.split('?', 1)[0]}/`.indexOf(`${basePath}/`)
  if (start >= 0) return url.slice(start)
  throw new TypeError(
    `The route is in no folder ${basePath}: rename one, or set the option basePath to the path of its own`,
  )
}

/** The query with its spaces: Next writes them as plus signs, of which only those of an email can have been sent. */
export function withSpaces(url: string): string {
  return url.replace(/[^?&]+/g, (pair) => (pair.includes('%40') ? pair : pair.replaceAll('+', '%20')))
}
