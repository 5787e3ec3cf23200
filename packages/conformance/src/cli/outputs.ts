import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toJson } from '../http/escape.ts'
import type { Report } from '../report/report.ts'
import type { Attested } from '../report/to-statement.ts'
import { type ParsedArguments, UsageError } from './options.ts'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A report format and its output file. */
export interface Output {
  readonly form: (typeof forms)[number]
  /** Path of the output file; `-` for standard output. */
  readonly file: string
}

const forms = ['json', 'junit', 'html', 'badge', 'attestation'] as const

/** The output files of a run. */
export interface Outputs {
  readonly outputs: readonly Output[]
  /** The tested software, if a statement is written. */
  readonly attested: Attested | undefined
}

/** Reads the options of the output files, and the tested software. */
export function readOutputs(parsed: ParsedArguments, env: Environment): Outputs {
  const outputs = forms.flatMap((form) => parsed.all(form).map((file) => ({ form, file: file === '' ? '-' : file })))
  if (outputs.filter(({ file }) => file === '-').length > 1)
    throw new UsageError('Only one report can use standard output. Specify files for the others')
  const isAttested = outputs.some(({ form }) => form === 'attestation')
  return { outputs, attested: isAttested ? readAttested(parsed.last('subject'), env) : undefined }
}

function readAttested(subject: string | undefined, env: Environment): Attested {
  const commit = env['GITHUB_SHA'] ?? env['CI_COMMIT_SHA']
  const text = subject ?? (commit === undefined ? '' : `gitCommit:${commit}`)
  const [, algorithm, digits] = /^(\w+):([0-9a-f]{32,128})$/.exec(text) ?? []
  if (algorithm === undefined || digits === undefined)
    throw new UsageError(
      '--attestation: requires --subject with the digest of the tested software, such as gitCommit:<commit>',
    )
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = env
  return {
    digest: { [algorithm]: digits },
    url: run === undefined ? job : `${server}/${repository}/actions/runs/${run}`,
  }
}

/** Returns the path of the last report, which `show` prints by default. */
export function lastReportFile(): string {
  return join(tmpdir(), 'storeport-conformance-report.json')
}

/** Saves the last report for the current user. Returns its path; `undefined` if the file cannot be written. */
export async function saveLastReport(report: Report): Promise<string | undefined> {
  const file = lastReportFile()
  try {
    await rm(file, { force: true })
    // `wx` fails if another user creates a file or a link with this name.
    await writeFile(file, toJson(report), { flag: 'wx', mode: 0o600 })
    return file
  } catch {
    return undefined
  }
}
