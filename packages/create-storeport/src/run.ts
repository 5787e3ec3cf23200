import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import { ask, type Questions } from './ask.ts'
import { nameOf } from './name-problem.ts'
import { projectFiles } from './project-files.ts'
import { readSettings } from './settings.ts'
import { UsageError } from './usage-error.ts'
import { vendorPackages } from './vendor-packages.ts'
import { version } from './version.ts'
import { checkFolder, ProjectError, writeProject } from './write-project.ts'
import { type Choice, frameworkNames, kindOf, storeNames } from './choices.ts'

/** 0: success; 1: project not created; 2: invalid command. */
type ExitCode = 0 | 1 | 2

interface Streams extends Questions {
  /** Stream for error messages. */
  readonly errors: Writable
}

/** Runs the command and returns its exit code. Rejects only for internal errors. */
export async function run(args: readonly string[], streams: Streams): Promise<ExitCode> {
  const fail = (message: string) => void streams.errors.write(`create-storeport: ${message}\n`)
  try {
    return await perform(args, streams)
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

async function perform(args: readonly string[], streams: Streams): Promise<ExitCode> {
  const { output, errors } = streams
  const settings = readSettings(args)
  if (settings.task !== 'create') {
    output.write(settings.task === 'help' ? help() : `${version}\n`)
    return 0
  }
  if (settings.folder !== undefined) checkFolder(settings.folder)
  const choice = await ask(settings, streams)
  if (choice === undefined) {
    errors.write('create-storeport: cancelled. Nothing was written.\n')
    return 1
  }
  const { folder, framework, store } = choice
  const apiKey = randomBytes(24).toString('base64url')
  const files = projectFiles({ name: nameOf(folder), framework, store, apiKey })
  if (settings.from !== undefined) output.write(`Building and packing StorePort from ${settings.from} …\n`)
  writeProject(folder, settings.from === undefined ? files : await vendorPackages(files, settings.from))
  output.write(nextSteps(choice))
  return 0
}

function nextSteps({ folder, framework, store }: Choice): string {
  const into = /^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)
  // Only these tests need no further settings, such as a database or a Stripe account.
  const first = { own: ['npm test'], sql: ['npm test'], tables: ['npm run setup'], stripe: [] }[kindOf(store)]
  const commands = ['npm install', ...first, ...(framework === 'next' ? ['npm run build'] : []), 'npm start']
  const lines = [`cd ${into}`, ...commands].map((line) => `  ${line}\n`).join('')
  return `\nCreated ${folder}. Next steps:\n\n${lines}\nSee its README.md for the next steps in your code.\n`
}

/** Returns the text of `create-storeport --help`. */
function help(): string {
  return `Usage: create-storeport [folder] [options]

  Create a project that serves the integration API with StorePort.
  With npm: npm create storeport@latest my-shop -- --framework express --store own

  Options:
    --framework NAME  ${frameworkNames.join(', ')}
    --store NAME      ${storeNames.join(', ')}
    --from CLONE      install StorePort from a clone of its repository, packed into vendor/, instead of from npm
    -y, --yes         use the defaults (my-shop, node, own) instead of prompting
    -h, --help        print this help
    --version         print the version

  Exit codes: 0 success, 1 project not created, 2 invalid command.
`
}
