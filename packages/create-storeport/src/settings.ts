import { parseArgs } from 'node:util'
import { type Framework, frameworkNames, isFramework, isStore, type Store, stores, storesFor } from './choices.ts'
import { nameOf, nameProblem } from './name-problem.ts'
import { checkClone } from './pack-clone.ts'
import { UsageError } from './usage-error.ts'

/** What the command is to do. */
export type Settings = { readonly task: 'help' | 'version' } | ({ readonly task: 'create' } & Wanted)

/** What is known of the project before anything was asked. */
export interface Wanted {
  /** The folder to make it in. */
  readonly folder: string | undefined
  /** What it is mounted on. */
  readonly framework: Framework | undefined
  /** Where its data is. */
  readonly store: Store | undefined
  /** The clone that the packages are built and packed from; from npm by default. */
  readonly from: string | undefined
  /** Whether to take the defaults for the rest, rather than to ask. */
  readonly yes: boolean
}

/** Reads the words of the command; throws UsageError that says what is wrong with them. */
export function readSettings(words: readonly string[]): Settings {
  const { values, positionals } = parseWords(words)
  if (values.help === true) return { task: 'help' }
  if (values.version === true) return { task: 'version' }
  const [folder, more] = positionals
  if (more !== undefined) throw new UsageError(`one folder at a time: ${JSON.stringify(more)} is one too many`)
  const problem = folder === undefined ? undefined : nameProblem(nameOf(folder))
  if (problem !== undefined) throw new UsageError(problem)
  const framework = readFramework(values.framework)
  const store = readStore(values.store)
  checkTogether(framework, store)
  if (values.from !== undefined) checkClone(values.from)
  return { task: 'create', folder, framework, store, from: values.from, yes: values.yes === true }
}

/** Throws UsageError when a store does not run where a framework runs. */
function checkTogether(framework: Framework | undefined, store: Store | undefined): void {
  if (framework === undefined || store === undefined || storesFor(framework).includes(store)) return
  throw new UsageError(
    `--store ${store} needs Node, which a Worker is not: choose --store own for it, or another --framework`,
  )
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
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
    throw new UsageError(error.message.replace(/\. To specify a positional.*$/s, ''), { cause: error })
  }
}

function readFramework(word: string | undefined): Framework | undefined {
  if (word === undefined || isFramework(word)) return word
  throw new UsageError(`--framework: ${JSON.stringify(word)} is none of ${frameworkNames.join(', ')}`)
}

function readStore(word: string | undefined): Store | undefined {
  if (word === undefined || isStore(word)) return word
  throw new UsageError(`--store: ${JSON.stringify(word)} is none of ${Object.keys(stores).join(', ')}`)
}
