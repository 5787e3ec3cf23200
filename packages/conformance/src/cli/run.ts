import { stat, writeFile } from 'node:fs/promises'
import { namesFor } from '@storeport/core'
import pc from 'picocolors'
import { commentProfile, type Profile } from '../profile/profile.ts'
import type { Report } from '../report/report.ts'
import { defaultExploration } from '../explore/explore.ts'
import { toJson } from '../http/escape.ts'
import { toJunit } from '../report/to-junit.ts'
import { oneLine, type TextOptions, toText } from '../report/to-text.ts'
import { type ExitCode, exitCodeOf, plural } from '../report/create-report.ts'
import { readBaseline, readNamedProfile, readReport } from './read-files.ts'
import { checkShop } from './check-shop.ts'
import { seedProfile } from '../profile/seed-profile.ts'
import { createProgress, type Terminal } from './terminal.ts'
import { type Output, saveLastReport } from './outputs.ts'
import { type CheckSettings, readSettings, type Settings } from './settings.ts'
import { optionLines, UsageError } from './options.ts'
import manifest from '../../package.json' with { type: 'json' }
import { checks, requirementOf } from '../run/topics.ts'
import { origins, type RequirementId } from '../engine/requirement.ts'
import type { RunMode } from '../engine/options.ts'
import { selectChecks } from '../run/run-checks.ts'

/**
 * Runs the command and returns its exit code: 0 for tasks that send no requests, otherwise the exit code of the verdict. Prints the message of a UsageError and returns 2 instead of rejecting.
 */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
  interrupt: AbortSignal,
): Promise<ExitCode> {
  try {
    return await perform(readSettings(words, env), terminal, interrupt)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.err(`storeport-conformance: ${error.message}\nSee storeport-conformance --help.\n`)
    return 2
  }
}

async function perform(settings: Settings, terminal: Terminal, interrupt: AbortSignal): Promise<ExitCode> {
  switch (settings.task) {
    case 'help':
      terminal.out(help())
      return 0
    case 'version':
      terminal.out(`${manifest.version}\n`)
      return 0
    case 'explain':
      terminal.out(explainRequirement(settings.id))
      return 0
    case 'list':
      terminal.out(listChecks(settings.mode, settings.only))
      return 0
    case 'show': {
      const report = await readReport(settings.file)
      printReport(report, settings.outputs, terminal, { isComplete: true })
      for (const output of settings.outputs) await write(output, report, terminal)
      return 0
    }
    case 'check':
      return exitCodeOf(await check(settings, terminal, interrupt))
  }
}

async function check(settings: CheckSettings, terminal: Terminal, interrupt: AbortSignal): Promise<Report> {
  const profile = settings.profile === undefined ? undefined : await readNamedProfile(settings.profile)
  const baseline = settings.baseline === undefined ? undefined : await readBaseline(settings.baseline)
  const url = settings.url + namesFor(settings.names).basePath
  // Checked before the run, since a run may take minutes.
  const existing = settings.save === undefined ? undefined : await stat(settings.save).catch(() => undefined)
  if (existing?.isFile() === true)
    throw new UsageError(`--save: the file ${settings.save} already exists. Choose another file`)
  const { report, profile: used } = await checkShop(
    settings,
    profile,
    baseline,
    createProgress(url, terminal),
    interrupt,
  )
  const file = report.causes.length === 0 ? undefined : await saveLastReport(report, settings.url)
  const details = file && `${file} has all details. storeport-conformance show prints all causes.`
  printReport(report, settings.outputs, terminal, details === undefined ? {} : { details })
  for (const output of settings.outputs) await write(output, report, terminal)
  if (settings.save !== undefined && used !== undefined) await writeProfile(settings.save, used, terminal)
  return report
}

/** Prints the report as text on standard output, or on standard error if another report uses standard output. */
function printReport(report: Report, outputs: readonly Output[], terminal: Terminal, options: TextOptions): void {
  if (report.groups.length === 0)
    return terminal.err(`storeport-conformance: ${oneLine(report.problem ?? 'no check ran', 600)}\n`)
  const isTaken = outputs.some(({ file }) => file === '-')
  const colors = pc.createColors(isTaken ? terminal.errHasColors : terminal.outHasColors)
  const text = toText(report, colors, options)
  if (isTaken) terminal.err(text)
  else terminal.out(text)
}

async function write({ form, file }: Output, report: Report, terminal: Terminal): Promise<void> {
  const text = form === 'json' ? toJson(report) : toJunit(report)
  if (file === '-') return terminal.out(text)
  await writeFile(file, text).catch((cause: unknown) => {
    throw new UsageError(`--${form}: the file ${file} cannot be written`, { cause })
  })
}

/** Writes the file of `--save`. Never overwrites an existing file. */
async function writeProfile(file: string, profile: Profile, terminal: Terminal): Promise<void> {
  const text = commentProfile(profile, seedProfile)
  if (file === '-') return terminal.out(text)
  await writeFile(file, text, { flag: 'wx' }).catch((cause: unknown) => {
    throw new UsageError(`--save: the file ${file} already exists or cannot be written. Choose another file`, { cause })
  })
  terminal.err(`${file}: the detected profile. Use it in the next run with --profile ${file}\n`)
}

function help(): string {
  return [
    'storeport-conformance: checks whether a shop implements the integration API',
    '',
    'Examples:',
    '  storeport-conformance https://shop.example --key KEY --read-only',
    '  storeport-conformance https://shop.example --key KEY --customer EMAIL --cancelled EMAIL',
    '  storeport-conformance https://shop.example --key KEY --profile FILE --json report.json',
    '',
    'storeport-conformance show [REPORT] prints all causes of a JSON report (the last run with failures).',
    ...optionLines(),
    '',
    'The URL defaults to STOREPORT_URL. Other defaults are in parentheses.',
    'With --read-only, the kit sends only GET, HEAD and OPTIONS requests, to the four GET endpoints and',
    'to unknown paths, with valid, invalid or missing keys. Without --read-only, the kit also changes the',
    'data of the test customers in the profile with delays, swaps, adds and orders.',
    '',
    'Exit codes:',
    '  0  READY, or READ-ONLY: NO FAILURES',
    '  1  NOT CONFORMING',
    '  2  NOT CHECKED: invalid settings, or the shop is unreachable',
    '  3  INCOMPLETE: some specified requirements could not be tested',
    '  4  CONFORMS, NOT READY',
    '',
  ].join('\n')
}

/** Returns the output of `--list`: one line for each check. */
function listChecks(mode: RunMode, only: readonly string[]): string {
  const selected = selectChecks({ mode, only: only.length === 0 ? undefined : only, explore: defaultExploration })
  const width = Math.max(0, ...selected.map(({ id }) => id.length)) + 2
  const lines = selected.map((each) => {
    const level = (['must', 'risk'] as const).find((one) =>
      each.requirements.some((id) => requirementOf(id).level === one),
    )
    return `${each.id.padEnd(width)}${(level ?? 'should').padEnd(8)}${each.mode.padEnd(11)}${each.title} [${each.requirements.join(' ')}]`
  })
  return [...lines, '', plural(selected.length, 'check'), ''].join('\n')
}

/** Returns the output of `--explain`: a requirement and its checks. */
function explainRequirement(id: RequirementId): string {
  const { sentence, level, reason, cause, risk } = requirementOf(id)
  const citing = checks.filter(({ requirements }) => requirements.includes(id))
  return [
    `${id} (${origins[level]}): ${sentence}`,
    '',
    ...(risk === undefined ? [] : [`risk            ${risk}`]),
    `why it matters  ${reason}`,
    `usual cause     ${cause}`,
    'checks',
    ...citing.map((each) => `  ${each.id}: ${each.title}`),
    '',
  ].join('\n')
}
