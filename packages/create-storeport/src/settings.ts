import { parseArgs } from 'node:util'
import { type Choice, frameworkNames, storeNames } from './choices.ts'
import { nameOf, nameProblem } from './name-problem.ts'
import { checkClone } from './pack-clone.ts'
import { UsageError } from './usage-error.ts'

/** Parsed command line: the task and, for `create`, the choices. */
export type Settings = { readonly task: 'help' | 'version' } | ({ readonly task: 'create' } & GivenChoices)

/** Choices given on the command line. */
export type GivenChoices = { readonly [Field in keyof Choice]: Choice[Field] | undefined } & {
  /** StorePort clone from which the packages are built. If `undefined`, the project installs the packages from npm. */
  readonly from: string | undefined
  /** Whether to use defaults instead of prompts. */
  readonly yes: boolean
}

/** Parses the command line; throws UsageError for invalid arguments. */
export function readSettings(args: readonly string[]): Settings {
  const taken = ['framework', 'store', 'from'].filter((name) => process.env[`npm_config_${name}`] !== undefined)
  if (taken.length > 0) {
    throw new UsageError(
      `npm reads --${taken.join(' and --')} itself. Put -- before the options: npm create storeport@latest my-shop -- --framework express`,
    )
  }
  const { values, positionals } = parseOptions(args)
  if (values.help === true) return { task: 'help' }
  if (values.version === true) return { task: 'version' }
  const [folder, more] = positionals
  if (more !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(more)}: pass a single folder`)
  const problem = folder === undefined ? undefined : nameProblem(nameOf(folder))
  if (problem !== undefined) throw new UsageError(problem)
  const framework = readChoice('framework', values.framework, frameworkNames)
  const store = readChoice('store', values.store, storeNames)
  if (values.from !== undefined) checkClone(values.from)
  return { task: 'create', folder, framework, store, from: values.from, yes: values.yes === true }
}

const optionNames = ['framework', 'store', 'from', 'yes', 'help', 'version']

/** Returns whether two words differ in at most two adjacent letters. */
function isSimilar(word: string, name: string): boolean {
  return [...word, ''].some((_, at) =>
    [0, 1, 2].some((cut) => {
      const [start, end] = [word.slice(0, at), word.slice(at + cut)]
      const added = name.length - start.length - end.length
      return start + end !== '' && added >= 0 && added <= 2 && name.startsWith(start) && name.endsWith(end)
    }),
  )
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        framework: { type: 'string' },
        store: { type: 'string' },
        from: { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, unknown = ''] = /^Unknown option '--([^']+)'/.exec(error.message) ?? []
    const similar = optionNames.find((name) => isSimilar(unknown, name))
    const problem = error.message.replace(/\. To specify a positional.*$/s, '')
    throw new UsageError(similar === undefined ? problem : `${problem}. Did you mean --${similar}?`, { cause: error })
  }
}

function readChoice<Name extends string>(option: string, value: string | undefined, names: readonly Name[]) {
  const name = names.find((each) => each === value)
  if (name !== undefined || value === undefined) return name
  throw new UsageError(`--${option}: must be one of ${names.join(', ')}, not ${JSON.stringify(value)}`)
}
