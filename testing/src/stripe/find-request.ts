import { definitions, type StripeRequestName } from './compile-schemas.ts'

/** A request that the stand-in knows, and the id in its path. */
export interface FoundRequest {
  readonly name: StripeRequestName
  readonly id: string
}

// oxlint-disable-next-line typescript/consistent-type-assertions -- the definition is made from the type whose keys these are
const names = Object.keys(definitions['StripeRequests']?.properties ?? {}) as StripeRequestName[]
/** `create_preview` is no id: paths without one come first. */
const patterns = names
  .toSorted((left, right) => Number(left.includes('{id}')) - Number(right.includes('{id}')))
  .map((name) => ({ name, pattern: new RegExp(`^${name.replace('{id}', '([^/]+)')}$`) }))

/** Finds what a method and a path ask for. */
export function findRequest(method: string, path: string): FoundRequest | undefined {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(`${method} ${path}`)
    if (match !== null) return { name, id: decodeURIComponent(match[1] ?? '') }
  }
  return undefined
}
