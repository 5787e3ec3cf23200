import { parseArgs } from 'node:util'
import { nearestName } from '@storeport/core'
import { SettingsError } from '@storeport/node'

/** Arguments of a command: words and options. */
export interface CommandArguments {
  readonly words: readonly string[]
  /** Returns whether an option was given. */
  has(option: string): boolean
  /** Returns the value of an option; `undefined` if it was not given. */
  text(option: string): string | undefined
}

/**
 * Reads the options of a command with their types, and words only if `allowsWords`; throws SettingsError. The message
 * for an unknown option starts with `prefix`, and suggests a similar option.
 */
export function readArguments(
  prefix: string,
  args: readonly string[],
  types: Readonly<Record<string, 'boolean' | 'string'>>,
  allowsWords: boolean,
): CommandArguments {
  const options = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: allowsWords })
    return {
      words: positionals,
      has: (name) => values[name] !== undefined,
      text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    }
  } catch (error) {
    const [problem = ''] = error instanceof Error ? error.message.split(/\.(?:\s|$)|\n/, 1) : []
    const [, unknown = ''] = /^Unknown option '([^']+)'/.exec(problem) ?? []
    const names = Object.keys(types).map((name) => `--${name}`)
    throw new SettingsError(
      `${prefix}${problem || 'Invalid options'}.${suggest(unknown, names)} Run storeport --help to list the options.`,
    )
  }
}

/** Returns a sentence that suggests a similar name, or an empty string if no name is similar. */
export function suggest(word: string, names: readonly string[]): string {
  const name = nearestName(word, names)
  return name === undefined ? '' : ` Did you mean ${name}?`
}
