import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { isObject } from '../http/reply.ts'
import { parseJsonc, parseProfile, type Profile, readProfile } from '../profile/profile.ts'
import type { Baseline } from '../report/baseline.ts'
import { levelIn, requirementSets, type RequirementSet } from '../report/requirement-set.ts'
import type { Report } from '../report/report.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { NamedProfile } from './check-shop.ts'
import { UsageError } from './options.ts'

/** Reads the file of `--profile`. Rejects with UsageError if the file cannot be read or is not a valid profile. */
export async function readNamedProfile(file: string): Promise<NamedProfile> {
  const profile = await readProfile(file).catch((error: unknown) => {
    if (error instanceof TypeError) throw new UsageError(`--profile: ${error.message}`, { cause: error })
    throw error
  })
  return { profile, name: file }
}

const baseline = z.strictObject({ contract: z.string(), failures: z.record(z.string(), z.string()) })

/**
 * Reads the file of `--baseline`, JSON that may contain comments. Rejects with UsageError if the file cannot be read or
 * does not match the requirement set.
 */
export async function readBaseline(file: string, set: RequirementSet): Promise<Baseline> {
  const example = `{ "contract": "${set.contract}", "failures": { "RETRY-1": "the reason" } }`
  const text = await readText(file, `--baseline: the file ${file} cannot be read. Create it, such as ${example}`)
  const { data } = z.safeParse(baseline, parseOrUndefined(text))
  if (data === undefined) throw new UsageError(`--baseline: ${file} is not a baseline. Write it as ${example}`)
  if (data.contract !== set.contract) {
    throw new UsageError(
      `--baseline: ${file} is for contract ${JSON.stringify(data.contract)}, but the run uses ${set.contract}. Update the file, or use --set`,
    )
  }
  const unknown = Object.keys(data.failures).find((id) => !Object.hasOwn(set[levelIn(set, id)], id))
  if (unknown === undefined) return data
  throw new UsageError(
    `--baseline: ${file} lists ${JSON.stringify(unknown)}, which is not a requirement of contract ${set.contract}. Remove it`,
  )
}

const mode = z.enum(['read-only', 'default', 'stress'])
const text = z.optional(z.string())
const savedReport = z.object({
  kit: z.string(),
  contract: z.string(),
  address: z.string(),
  mode,
  only: z.array(z.string()),
  strict: z.boolean(),
  profile: z.string(),
  verdict: z.nullable(z.string()),
  groups: z.array(
    z.object({
      results: z.array(
        z.object({
          id: z.string(),
          outcome: z.enum(['passed', 'failed', 'warning', 'skipped']),
          finding: z.nullable(z.object({ requirement: z.string() })),
        }),
      ),
    }),
  ),
  settings: z.object({
    names: z.object({ vendor: text, basePath: text, apiKeyHeader: text, testModeHeader: text }),
    skip: z.array(z.string()),
    framework: text,
    testMode: z.boolean(),
    explore: z.optional(z.object({ seed: z.int(), timeMs: z.number() })),
    timeoutMs: z.number(),
    totalTimeoutMs: z.number(),
    testData: z.unknown(),
  }),
})

/** A JSON report, as far as `verify` reads it. */
export type SavedReport = Omit<z.output<typeof savedReport>, 'settings'> & {
  readonly settings: Omit<z.output<typeof savedReport>['settings'], 'testData'> & { readonly testData: Profile }
}

/** Reads the report of `verify`. Rejects with UsageError if the run cannot be repeated from the file. */
export async function readSavedReport(file: string): Promise<SavedReport> {
  const wanted = 'Use a report that a complete run wrote with --json FILE'
  const content = await readText(file, `verify: the file ${file} cannot be read. ${wanted}`)
  const { data } = z.safeParse(savedReport, parseOrUndefined(content))
  if (data === undefined) throw new UsageError(`verify: ${file} is not a report of a command-line run. ${wanted}`)
  if (!Object.hasOwn(requirementSets, data.contract)) {
    throw new UsageError(
      `verify: ${file} is for contract ${JSON.stringify(data.contract)}, which this version does not have. Use ${data.kit}`,
    )
  }
  try {
    return { ...data, settings: { ...data.settings, testData: parseProfile(data.settings.testData) } }
  } catch (cause) {
    throw new UsageError(`verify: ${file} contains invalid test data. ${wanted}`, { cause })
  }
}

/** Reads the report of `show`. Rejects with UsageError if this version of the kit did not write the file. */
export async function readReport(file: string): Promise<Report> {
  const content = await readText(file, `show: the file ${file} cannot be read. Use a report of --json FILE`)
  const kit = `${manifest.name} ${manifest.version}`
  const data = parseOrUndefined(content)
  if (isObject(data) && data['kit'] === kit && Array.isArray(data['groups'])) return JSON.parse(content)
  throw new UsageError(`show: ${file} is not a report of ${kit}. Use a report of --json FILE`)
}

function readText(file: string, problem: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(problem, { cause })
  })
}

function parseOrUndefined(json: string): unknown {
  try {
    return parseJsonc(json)
  } catch {
    return undefined
  }
}
