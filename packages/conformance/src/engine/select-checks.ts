import type { EndpointName } from '@storeport/core'
import { checks } from '../topics.ts'
import type { Check, CheckMode } from './check.ts'
import type { RunMode, RunOptions } from './run-options.ts'

const modesOf: Readonly<Record<RunMode, readonly CheckMode[]>> = {
  'read-only': ['read-only'],
  default: ['read-only', 'write'],
  stress: ['read-only', 'write', 'stress'],
}

/** The checks that a run makes, in order. */
export function selectChecks({
  mode = 'default',
  layer,
  only,
}: Pick<RunOptions, 'mode' | 'layer' | 'only'>): readonly Check[] {
  const isWanted = ({ id, requirements }: Check) =>
    only === undefined || only.some((word) => word === id || id.startsWith(`${word}.`) || isIn(requirements, word))
  return checks.filter(
    (check) => modesOf[mode].includes(check.mode) && (layer === undefined || check.layer === layer) && isWanted(check),
  )
}

/** Whether a check is for a shop that offers these endpoints, or others see more there. */
export function isFor({ without }: Check, offered: readonly EndpointName[]): boolean {
  return without === undefined || without.some((name) => !offered.includes(name))
}

function isIn(requirements: readonly string[], word: string): boolean {
  return requirements.includes(word)
}
