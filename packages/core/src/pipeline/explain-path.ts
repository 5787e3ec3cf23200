import { endpointNames, endpoints } from '../contract/endpoints.ts'
import { nearestName } from '../contract/names.ts'

/** Corrections of a path, each with the advice for the caller. All corrections are applied, one after another. */
const corrections: readonly (readonly [correct: (path: string) => string, advice: string])[] = [
  [decodePath, 'Write the path without percent-encoding'],
  [(path) => path.replace(/\/{2,}/g, '/'), 'Use single slashes'],
  [(path) => path.replace(/\/+$/, ''), 'Remove the trailing slash'],
]

/** Maximum length of a path below the base path that is compared with the endpoints, in characters. */
const maxPathLength = 255

interface Corrected {
  /** Path with all corrections. */
  readonly path: string
  /** Error message with the path of the endpoint; `undefined` if no endpoint has the corrected path. */
  readonly message: string | undefined
}

/** Returns an error message that names the path of the most similar endpoint. The message contains no part of the request. */
export function explainPath(basePath: string, sent: string): string {
  const { path, message } = correct(basePath, sent)
  if (message !== undefined) return message
  const paths = pathsBelow(basePath)
  const end = path.slice(path.lastIndexOf('/'))
  const near = nearestName(path, paths) ?? (end.length > 1 ? paths.find((other) => other.endsWith(end)) : undefined)
  return `No endpoint at this path.${near === undefined ? '' : ` Did you mean ${near}?`}`
}

/** Returns the error message for a path that differs from the path of an endpoint only in its prefix or its notation. */
export function explainPrefix(basePath: string, sent: string): string | undefined {
  return correct(basePath, sent).message
}

function correct(basePath: string, sent: string): Corrected {
  const paths = pathsBelow(basePath)
  let path = sent.length > basePath.length + maxPathLength ? basePath : sent
  for (const [apply, advice] of corrections) {
    path = apply(path)
    if (paths.includes(path)) return { path, message: describe(advice, path) }
  }
  const lower = path.toLowerCase()
  const found = paths.find((other) => other.toLowerCase() === lower)
  if (found !== undefined)
    return { path, message: describe(found === lower ? 'Use lowercase letters' : 'Use this letter case', found) }
  const isWithoutPrefix = pathsBelow('').includes(lower)
  return { path, message: isWithoutPrefix ? describe('Start the path with the prefix', basePath + lower) : undefined }
}

function describe(advice: string, path: string): string {
  return `No endpoint at this path. ${advice}: ${path}`
}

function pathsBelow(basePath: string): readonly string[] {
  return endpointNames.map((name) => basePath + endpoints[name].path)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
