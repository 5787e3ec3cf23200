import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { isObject } from '../http/reply.ts'
import { parseJsonc, readProfile } from '../profile/profile.ts'
import type { Baseline } from '../report/baseline.ts'
import type { Report } from '../report/report.ts'
import { isRequirementId } from '../run/topics.ts'
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

const baselineSchema = z.record(z.string(), z.string())

/**
 * Reads the file of `--baseline`, JSON that may contain comments. Rejects with UsageError if the file cannot be read or
 * lists an unknown requirement.
 */
export async function readBaseline(file: string): Promise<Baseline> {
  const example = '{ "RETRY-1": "the reason" }'
  const text = await readText(file, `--baseline: the file ${file} cannot be read. Create it, such as ${example}`)
  const { data } = z.safeParse(baselineSchema, parseOrUndefined(text))
  if (data === undefined) throw new UsageError(`--baseline: ${file} is not a baseline. Write it as ${example}`)
  const unknown = Object.keys(data).find((id) => !isRequirementId(id))
  if (unknown === undefined) return data
  throw new UsageError(
    `--baseline: ${file} lists ${JSON.stringify(unknown)}, which is not the id of a requirement. Remove it`,
  )
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
