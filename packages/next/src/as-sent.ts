import type { Integration } from '@storeport/core'

/** Removes the folders before the base path from a URL. Throws TypeError if no folder has the name of the base path. */
export function fromBasePath(url: string, { basePath }: Integration): string {
  const start = `${url.split('?', 1)[0]}/`.indexOf(`${basePath}/`)
  if (start >= 0) return url.slice(start)
  throw new TypeError(
    `The route is not in a folder ${basePath}. Rename the folder, or set the option basePath to the folder's path.`,
  )
}
