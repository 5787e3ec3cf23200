import { basename, resolve } from 'node:path'
import { ranges } from './manifest.ts'

/** Returns the last part of a folder path, which is the package name. */
export function nameOf(folder: string): string {
  return basename(resolve(folder))
}

/** Returns the reason why a package name is invalid, with an alternative; `undefined` for a valid name. */
export function nameProblem(name: string): string | undefined {
  if (Object.hasOwn(ranges, name)) {
    return `${JSON.stringify(name)} is a dependency of the project. Choose another name, such as ${name}-shop.`
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
  return `${JSON.stringify(name)} is not a valid package name. Use lowercase letters, digits, - . and _, such as ${instead}.`
}
