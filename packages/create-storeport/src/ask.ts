import type { Readable, Writable } from 'node:stream'
import { isCancel, note, select, text } from '@clack/prompts'
import { type Framework, frameworkNames, frameworks, type Store, stores, storesFor } from './choices.ts'
import { nameOf, nameProblem } from './name-problem.ts'
import type { Wanted } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** A project, as far as it had to be chosen. */
export interface Choice {
  /** The folder to make it in. */
  readonly folder: string
  /** What it is mounted on. */
  readonly framework: Framework
  /** Where its data is. */
  readonly store: Store
}

/** Where questions are asked. */
export interface Questions {
  /** What the answers come from. */
  readonly input: Readable & { readonly isTTY?: boolean }
  /** What the questions go to. */
  readonly output: Writable
}

/** Asks for what is not known yet; `undefined` when the questions are cancelled. Throws UsageError where there is no terminal. */
export async function ask(wanted: Wanted, { input, output }: Questions): Promise<Choice | undefined> {
  const { yes } = wanted
  const isKnown = wanted.folder !== undefined && wanted.framework !== undefined && wanted.store !== undefined
  if (!yes && !isKnown && input.isTTY !== true) {
    throw new UsageError('nobody is there to ask: name a folder, --framework and --store, or give --yes')
  }

  const folder = wanted.folder ?? (yes ? 'my-shop' : await askFolder())
  if (isCancel(folder)) return undefined
  const framework = wanted.framework ?? (yes ? 'node' : await askFramework(wanted.store))
  if (isCancel(framework)) return undefined
  const store = wanted.store ?? (yes ? 'own' : await askStore(framework))
  return isCancel(store) ? undefined : { folder, framework, store }

  function askFolder() {
    const validate = (answer = '') => nameProblem(nameOf(answer === '' ? 'my-shop' : answer))
    return text({
      message: 'In which folder?',
      placeholder: 'my-shop',
      defaultValue: 'my-shop',
      validate,
      input,
      output,
    })
  }

  function askFramework(chosen: Store | undefined) {
    const names = frameworkNames.filter((name) => chosen === undefined || storesFor(name).includes(chosen))
    const options = names.map((value) => ({ value, ...frameworks[value] }))
    return select<Framework>({ message: 'Which server?', options, input, output })
  }

  async function askStore(chosen: Framework) {
    const [first, ...others] = storesFor(chosen).map((value) => ({ value, ...stores[value] }))
    if (first !== undefined && others.length > 0) {
      return select<Store>({ message: 'Which store?', options: [first, ...others], input, output })
    }
    note('SQLite and PostgreSQL need Node, which a Worker is not: it gets a store of your own.', 'Store', { output })
    return 'own' as const
  }
}
