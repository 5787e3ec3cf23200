import { endpointNames, endpoints } from '../contract/endpoints.ts'
import { nearestName } from '../contract/names.ts'

/** Corrections of a path, each with the advice for the caller. All corrections are applied, one after another. */
const corrections: readonly (readonly [correct: (path: string) => string, advice: string])[] = [
  [decodePath, 'Write the path without percent-encoding'],
  [(path) => path.replace(/\/{2,}/g, '/'), 'Use single slashes'],
  [(path) => path.replace(/\/+$/, ''), 'Remove the trailing slash'],
  [(path) => path.toLowerCase(), 'Use lowercase letters'],
]

/** Maximum length of a path that is compared with the endpoints, in characters. */
const maxPathLength = 255

/** Returns an error message that names the path of the most similar endpoint. The message contains no part of the request. */
export function explainPath(basePath: string, sent: string): string {
  const paths = endpointNames.map((name) => basePath + endpoints[name].path)
  const below = sent.slice(basePath.length)
  let corrected = below.length > maxPathLength ? '' : below
  for (const [correct, advice] of corrections) {
    corrected = correct(corrected)
    if (paths.includes(basePath + corrected)) return `No endpoint at this path. ${advice}: ${basePath}${corrected}`
  }
  const end = corrected.slice(corrected.lastIndexOf('/'))
  const near =
    nearestName(basePath + corrected, paths) ?? (end.length > 1 ? paths.find((path) => path.endsWith(end)) : undefined)
  return `No endpoint at this path.${near === undefined ? '' : ` Did you mean ${near}?`}`
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
