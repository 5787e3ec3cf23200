/** Explains an error from `parseArgs`, and suggests a similar option for an unknown option. */
export function describeOptionError(error: unknown, options: readonly string[]): string {
  const [problem = ''] = error instanceof Error ? error.message.split(/\.(?:\s|$)|\n/, 1) : []
  const [, unknown] = /^Unknown option '([^']+)'/.exec(problem) ?? []
  const names = options.map((name) => `--${name}`)
  return `${problem || 'Invalid options'}.${suggest(unknown ?? '', names)} Run storeport --help to list the options.`
}

/** Explains that a command does not exist, and suggests a similar command. */
export function describeUnknownCommand(word: string, commands: readonly string[]): string {
  return `Unknown command '${word}'.${suggest(word, commands)} The commands are ${commands.join(', ')}.`
}

/** Returns a sentence that suggests a similar name, or an empty string if no name is similar. */
export function suggest(word: string, names: readonly string[]): string {
  const name = names.find((each) => isSimilar(word, each))
  return name === undefined ? '' : ` Did you mean ${name}?`
}

/** Returns whether two words differ in at most two adjacent letters. */
function isSimilar(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return start + end > 0 && Math.max(left.length, right.length) - start - end <= 2
}
