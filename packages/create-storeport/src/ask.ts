import type { Readable, Writable } from 'node:stream'
import { isCancel, select, text } from '@clack/prompts'
import { type Choice, type Framework, frameworkNames, frameworks, type Store, storeNames, stores } from './choices.ts'
import { nameOf, nameProblem } from './name-problem.ts'
import type { GivenChoices } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** Input and output streams for the prompts. */
export interface Questions {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/**
 * Prompts for missing choices. Returns `undefined` if the user cancels. Throws UsageError if a prompt requires a
 * terminal.
 */
export async function ask(given: GivenChoices, { input, output }: Questions): Promise<Choice | undefined> {
  const { yes } = given
  const isComplete = given.folder !== undefined && given.framework !== undefined && given.store !== undefined
  if (!yes && !isComplete && input.isTTY !== true) {
    throw new UsageError('Not an interactive terminal. Pass a folder, --framework and --store, or use --yes.')
  }

  const folder = given.folder ?? (yes ? 'my-shop' : await askFolder())
  if (isCancel(folder)) return undefined
  const framework = given.framework ?? (yes ? 'node' : await askFramework())
  if (isCancel(framework)) return undefined
  const store = given.store ?? (yes ? 'own' : await askStore())
  return isCancel(store) ? undefined : { folder, framework, store }

  function askFolder() {
    const validate = (answer = '') => nameProblem(nameOf(answer === '' ? 'my-shop' : answer))
    const names = { placeholder: 'my-shop', defaultValue: 'my-shop' }
    return text({ message: 'Project folder:', ...names, validate, input, output })
  }

  function askFramework() {
    const options = frameworkNames.map((value) => ({ value, ...frameworks[value] }))
    return select<Framework>({ message: 'Select a framework:', options, input, output })
  }

  function askStore() {
    const options = storeNames.map((value) => ({ value, ...stores[value] }))
    return select<Store>({ message: 'Select a store:', options, input, output })
  }
}
