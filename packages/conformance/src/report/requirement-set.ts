import { type Level, levels } from '../engine/requirement.ts'
import { requirements } from '../run/topics.ts'

/** The requirements of one version of the contract: sentences by level and id. A published set never changes. */
export type RequirementSet = { readonly contract: string } & Readonly<Record<Level, Readonly<Record<string, string>>>>

/** The current version of the contract. */
export const contractVersion = '1.0.0'

/**
 * The requirement sets by version. The current set is derived from the requirements, and `npm run docs` writes its file
 * in `requirements/`. A change after the release of a set requires a new version. Then import the file of the previous
 * version here.
 */
export const requirementSets: Readonly<Record<string, RequirementSet>> = {
  [contractVersion]: {
    contract: contractVersion,
    must: sentencesOf('must'),
    risk: sentencesOf('risk'),
    should: sentencesOf('should'),
  },
}

function sentencesOf(wanted: Level): RequirementSet[Level] {
  const found = Object.entries(requirements).filter(([, { level }]) => level === wanted)
  return Object.fromEntries(found.map(([id, { sentence }]) => [id, sentence]))
}

/** Returns the requirement set of a version. Throws TypeError for an unknown version. */
export function requirementSet(version: string): RequirementSet {
  const found = Object.hasOwn(requirementSets, version) ? requirementSets[version] : undefined
  if (found === undefined) throw new TypeError(`no requirement set has the version ${JSON.stringify(version)}`)
  return found
}

/** Formats a requirement set as its file. */
export function toSetFile(set: RequirementSet): string {
  return `${JSON.stringify(set, null, 2)}\n`
}

/** Returns the level of a requirement in a set. A requirement that the set does not contain is a recommendation. */
export function levelIn(set: RequirementSet, id: string): Level {
  return levels.find((level) => Object.hasOwn(set[level], id)) ?? 'should'
}
