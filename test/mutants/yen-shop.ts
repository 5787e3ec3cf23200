import { createSeedProfile } from '@storeport/conformance'
import type { Mutant } from './mutant.ts'

/** A shop with the seed in yen, which has no decimals: 1995 instead of 19.95. */
export const yenShop = { currency: 'JPY', profile: createSeedProfile('JPY') } satisfies Partial<Mutant>
