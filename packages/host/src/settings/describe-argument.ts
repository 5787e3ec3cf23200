import { nearestName } from '@storeport/core'

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
  const name = nearestName(word, names)
  return name === undefined ? '' : ` Did you mean ${name}?`
}
