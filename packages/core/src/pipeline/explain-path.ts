import { endpointNames, endpoints } from '../contract/endpoints.ts'
import { nearestName } from '../contract/names.ts'

/** Corrections of a path with their advice, in the order in which they are applied. */
const slips: readonly (readonly [mend: (path: string) => string, advice: string])[] = [
  [decodeLetters, 'Write the path without percent-encoding'],
  [(path) => path.replace(/\/{2,}/g, '/'), 'Use single slashes'],
  [(path) => path.replace(/\/+$/, ''), 'Remove the trailing slash'],
  [(path) => path.toLowerCase(), 'Use lowercase letters'],
]

/** Longer paths mean nothing, and comparing them would take time. */
const longestPath = 255

/** Returns a message that names the endpoint which a path probably means; it repeats nothing of the request. */
export function explainPath(basePath: string, sent: string): string {
  const paths = endpointNames.map((name) => basePath + endpoints[name].path)
  const below = sent.slice(basePath.length)
  let mended = below.length > longestPath ? '' : below
  for (const [mend, advice] of slips) {
    mended = mend(mended)
    if (paths.includes(basePath + mended)) return `No endpoint at this path. ${advice}: ${basePath}${mended}`
  }
  const end = mended.slice(mended.lastIndexOf('/'))
  const near =
    nearestName(basePath + mended, paths) ?? (end.length > 1 ? paths.find((path) => path.endsWith(end)) : undefined)
  return `No endpoint at this path.${near === undefined ? '' : ` Did you mean ${near}?`}`
}

function decodeLetters(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
