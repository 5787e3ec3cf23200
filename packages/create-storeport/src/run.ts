import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import { ask, type Questions } from './ask.ts'
import { nameOf } from './name-problem.ts'
import { projectFiles } from './project-files.ts'
import { packClone } from './pack-clone.ts'
import { readSettings } from './settings.ts'
import { UsageError } from './usage-error.ts'
import { listOwnPackages, vendorPackages } from './vendor-packages.ts'
import { version } from './version.ts'
import { checkFolder, ProjectError, writeProject } from './write-project.ts'
import { frameworkNames, stores } from './choices.ts'

/** 0: made, or done; 1: not made; 2: the command was wrong. */
type ExitCode = 0 | 1 | 2

/** Where the command runs. */
interface Surroundings extends Questions {
  /** What messages of faults go to. */
  readonly errors: Writable
}

/** The command: does what its words say and answers with the exit code; never rejects for what a user can fix. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const fail = (message: string) => void surroundings.errors.write(`create-storeport: ${message}\n`)
  try {
    return await perform(words, surroundings)
  } catch (error) {
    if (error instanceof UsageError) {
      fail(`${error.message}\nSee create-storeport --help.`)
      return 2
    }
    if (!(error instanceof ProjectError)) throw error
    fail(error.message)
    return 1
  }
}

async function perform(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { output, errors } = surroundings
  const settings = readSettings(words)
  if (settings.task !== 'create') {
    output.write(settings.task === 'help' ? help() : `${version}\n`)
    return 0
  }
  if (settings.folder !== undefined) checkFolder(settings.folder)
  const choice = await ask(settings, surroundings)
  if (choice === undefined) {
    errors.write('create-storeport: stopped, and nothing was written\n')
    return 1
  }
  const { folder, framework, store } = choice
  const files = projectFiles({
    name: nameOf(folder),
    framework,
    store,
    apiKey: randomBytes(24).toString('base64url'),
  })
  if (settings.from === undefined) writeProject(folder, files)
  else {
    output.write(`Building and packing what is needed of ${settings.from} …\n`)
    writeProject(folder, vendorPackages(files, await packClone(settings.from, listOwnPackages(files))))
  }
  output.write(nextSteps(folder))
  return 0
}

function nextSteps(folder: string): string {
  const into = /^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)
  return `\n${folder} is made. Next:\n\n  cd ${into}\n  npm install\n  npm test\n  npm start\n\nIts README says what to write next.\n`
}

/** What `create-storeport --help` says. */
function help(): string {
  return `Makes a project that serves the subscription commerce integration API.

  npm create storeport@latest my-shop
  npm create storeport@latest my-shop -- --framework express --store own

  --framework NAME  ${frameworkNames.join(', ')}
  --store NAME      ${Object.keys(stores).join(', ')}; a Worker has own only
  --from CLONE      take the packages of StorePort from a clone, packed into vendor/, instead of from npm
  --yes             take the defaults (my-shop, node, own) for what is not said, and ask nothing
  --help            this text
  --version         the version

Exit codes: 0 made, 1 not made, 2 the command was wrong.
`
}
