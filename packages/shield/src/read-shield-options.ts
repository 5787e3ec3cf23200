import type { EndpointName, StorePort } from '@storeport/core'
import { endpointNames, isEndpointName } from '@storeport/core'
import { ownGenerations } from './answers/generations.ts'
import type { ShieldOptions } from './shield-options.ts'
import { type Bucket, ownBucket } from './turns/bucket.ts'

type Complete<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> }

/** The options of a shield, complete. */
export interface ShieldSettings extends Complete<Omit<ShieldOptions, 'calls' | 'costs' | 'observe'>> {
  readonly bucket: Bucket
  readonly observe: ShieldOptions['observe']
  /** How many calls of the platform a method makes. */
  readonly costOf: (name: EndpointName | 'reconcile') => number
}

/** Completes the options; throws TypeError for a store, a name or a number that cannot be used. */
export function readShieldOptions(store: StorePort, options: ShieldOptions): ShieldSettings {
  const { calls, costs = {}, now = () => performance.now() } = options
  const keeping = endpointNames.find((name) => keepsItsClicks(store[name]))
  if (keeping !== undefined) {
    throw new TypeError(`store: ${keeping} keeps its clicks in a database of its own, which needs no shield`)
  }
  for (const [name, cost] of Object.entries(costs)) {
    if (name !== 'reconcile' && !isEndpointName(name)) throw new TypeError(`costs: there is no method ${name}`)
    checkNumber(`costs.${name}`, cost)
  }
  const maxAnswers = checkNumber('maxAnswers', options.maxAnswers ?? 50_000)
  return {
    now,
    bucket: typeof calls === 'object' ? calls : ownBucket(checkNumber('calls', calls), now),
    costOf: (name) => costs[name] ?? 1,
    freshMs: checkNumber('freshMs', options.freshMs ?? 30_000),
    staleMs: checkNumber('staleMs', options.staleMs ?? 86_400_000),
    maxAnswers,
    readWaitMs: checkNumber('readWaitMs', options.readWaitMs ?? 1000),
    clickWaitMs: checkNumber('clickWaitMs', options.clickWaitMs ?? 1500),
    maxWaiting: checkNumber('maxWaiting', options.maxWaiting ?? 1000),
    timeoutMs: checkNumber('timeoutMs', options.timeoutMs ?? 10_000),
    generations: options.generations ?? ownGenerations(maxAnswers),
    observe: options.observe,
  }
}

/** Whether core's `keepsClicks` has marked a method: a shield would take the mark off. */
function keepsItsClicks(method: object | undefined): boolean {
  return method !== undefined && Reflect.has(method, Symbol.for('storeport.keepsClicks'))
}

function checkNumber(name: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  throw new TypeError(`${name}: must be a number, more than 0`)
}
