import { isOptionName, type OptionName, optionRows } from './option-rows.ts'
import { UsageError } from './usage-error.ts'

/** The words of a command, taken apart. */
export interface ParsedWords {
  /** Options with their values, each as often as it occurs; empty text where none follows. */
  readonly options: ReadonlyMap<OptionName, readonly string[]>
  /** What is no option. */
  readonly others: readonly string[]
}

/** Takes the words of a command apart; throws UsageError for an option that does not exist or lacks its value. */
export function parseWords(words: readonly string[]): ParsedWords {
  const options = new Map<OptionName, string[]>()
  const others: string[] = []
  const left = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      others.push(...left)
      break
    }
    if (!word.startsWith('-') || word === '-') {
      others.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const written = equals === -1 ? word : word.slice(0, equals)
    const name = written === '-h' ? 'help' : written === '-v' ? 'version' : written.replace(/^--/, '')
    if (!isOptionName(name)) throw new UsageError(`there is no option ${written}`)
    const given = equals === -1 ? undefined : word.slice(equals + 1)
    options.set(name, [...(options.get(name) ?? []), valueOf(name, given, left)])
  }
  return { options, others }
}

/** The value of an option: behind the equals sign, or the next word, which is then taken away. */
function valueOf(name: OptionName, given: string | undefined, left: string[]): string {
  const { takes } = optionRows[name]
  if (takes === 'nothing') {
    if (given !== undefined) throw new UsageError(`--${name} takes no value`)
    return ''
  }
  if (given !== undefined) return given
  const [next] = left
  // A file may be left out: then what follows is the address or another option.
  const follows = next !== undefined && (!next.startsWith('-') || next === '-')
  if (takes === 'file') return follows && !/^https?:/i.test(next) ? (left.shift() ?? '') : ''
  if (!follows) throw new UsageError(`--${name} needs a value`)
  return left.shift() ?? ''
}
