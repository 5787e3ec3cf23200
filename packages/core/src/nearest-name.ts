/** The one of several names that a misspelt one probably means; `undefined` when none is near. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const word = plain(written)
  return names.find((name) => plain(name) === word) ?? names.find((name) => areNear(word, plain(name)))
}

/** Letter case, hyphens and underscores are what is confused most. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** Whether two names differ in one place, by two letters at most: less of a short name. */
function areNear(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return Math.max(left.length, right.length) - start - end <= Math.min(2, Math.floor(right.length / 3))
}
