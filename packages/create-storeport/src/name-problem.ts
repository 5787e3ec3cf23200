import { basename, resolve } from 'node:path'
import { ranges } from './manifest.ts'

/** The name of the package that is made in a folder: the folder's own. */
export function nameOf(folder: string): string {
  return basename(resolve(folder))
}

/** What is wrong with the name of a package and what to call it instead; `undefined` when npm takes it. */
export function nameProblem(name: string): string | undefined {
  if (Object.hasOwn(ranges, name)) {
    return `${JSON.stringify(name)} is a package that projects need: choose another name, such as ${name}-shop`
  }
  const isTaken = name === 'node_modules' || name === 'favicon.ico'
  if (/^[a-z0-9][a-z0-9._-]*$/.test(name) && name.length <= 214 && !isTaken) return undefined
  const better = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .replace(/-+$/, '')
    .slice(0, 214)
  const instead = better === '' || isTaken ? 'my-shop' : better
  return `${JSON.stringify(name)} cannot be the name of a package: use small letters, digits, - . and _, such as ${instead}`
}
