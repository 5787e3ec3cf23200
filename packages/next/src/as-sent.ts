import type { Integration } from '@storeport/core'

/** Removes the folders before the base path from a URL. Throws TypeError if no folder has the name of the base path. */
export function fromBasePath(url: string, { basePath }: Integration): string {
  const start = `${url.split('?', 1)[0]}/`.indexOf(`${basePath}/`)
  if (start >= 0) return url.slice(start)
  throw new TypeError(
    `The route is not in a folder ${basePath}. Rename the folder, or set the option basePath to the folder's path.`,
  )
}

/** Restores the spaces in a query, which Next rewrites to `+`. A `+` in an email (a value with `%40`) is unchanged. */
export function withSpaces(url: string): string {
  return url.replace(/[^?&]+/g, (pair) => (pair.includes('%40') ? pair : pair.replaceAll('+', '%20')))
}
