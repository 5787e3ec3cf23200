import { parseArgs } from 'node:util'
import { describeOptionError } from './describe-argument.ts'
import { settingRows } from './settings.ts'
import { SettingsError } from '@storeport/node'

/** Arguments of a command: words, its own options, and the options of `readSettings`. */
export interface CommandArguments {
  readonly words: readonly string[]
  /** Returns whether an option was given. */
  has(option: string): boolean
  /** Returns the value of an option; `undefined` if it was not given. */
  text(option: string): string | undefined
  readonly settings: readonly string[]
}

/**
 * Reads the arguments of a command with its own options, with words only if `allowsWords`, and with the options of
 * `readSettings` that `flags` lists; throws SettingsError.
 */
export function readArguments(
  command: string,
  args: readonly string[],
  own: Readonly<Record<string, 'boolean' | 'string'>>,
  allowsWords = true,
  flags: readonly string[] = Object.keys(settingRows),
): CommandArguments {
  const types = { ...Object.fromEntries(flags.map((flag) => [flag, 'string' as const])), ...own }
  const options = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: allowsWords })
    const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
    return {
      words: positionals,
      has: (name) => values[name] !== undefined,
      text,
      settings: flags.flatMap((flag) => (text(flag) === undefined ? [] : [`--${flag}=${text(flag)}`])),
    }
  } catch (error) {
    throw new SettingsError(`${command}: ${describeOptionError(error, Object.keys(options))}`)
  }
}
