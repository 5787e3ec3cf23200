import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toJson } from '../http/escape.ts'
import type { Report } from '../report/report.ts'
import { type ParsedArguments, UsageError } from './options.ts'

/** A report format and its output file. */
export interface Output {
  readonly form: (typeof forms)[number]
  /** Path of the output file; `-` for standard output. */
  readonly file: string
}

const forms = ['json', 'junit'] as const

/** Reads the options of the output files. */
export function readOutputs(parsed: ParsedArguments): readonly Output[] {
  const outputs = forms.flatMap((form) => parsed.all(form).map((file) => ({ form, file: file === '' ? '-' : file })))
  if (outputs.filter(({ file }) => file === '-').length > 1)
    throw new UsageError('Only one report can use standard output. Specify files for the others')
  return outputs
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
