import { readdirSync, statSync } from 'node:fs'
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

const [start, end] = ['storeport-conformance-', '.json']

/** Returns the path of the latest report, which `show` prints by default. */
export function lastReportFile(): string {
  const files = readdirSync(tmpdir()).filter((name) => name.startsWith(start) && name.endsWith(end))
  const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const paths = files.map((name) => join(tmpdir(), name)).toSorted((one, other) => changed(other) - changed(one))
  return paths[0] ?? join(tmpdir(), `${start}report${end}`)
}

/**
 * Saves a report for the current user, as the last report of the shop's host and port. Returns its path; `undefined` if
 * the file cannot be written.
 */
export async function saveLastReport(report: Report, url: string): Promise<string | undefined> {
  const shop = new URL(url).host.replaceAll(/[^\w.]+/g, '-')
  const file = join(tmpdir(), `${start}${shop}${end}`)
  try {
    await rm(file, { force: true })
    // `wx` fails if another user creates a file or a link with this name.
    await writeFile(file, toJson(report), { flag: 'wx', mode: 0o600 })
    return file
  } catch {
    return undefined
  }
}
