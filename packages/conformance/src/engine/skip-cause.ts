import type { EndpointName } from '@storeport/core'

/**
 * What kept a check from being made.
 *
 * `profile`: places in the profile that name nothing. `spent`: what it needs was used up by earlier calls. `offer`: the shop lacks
 * endpoints. `pause`: the shop counts calls and wants a pause. `excused`: an option leaves it out. `other`: something else, which the reason says.
 */
export type SkipCause =
  | { readonly kind: 'profile'; readonly lacks: readonly string[] }
  | { readonly kind: 'offer'; readonly lacks: readonly EndpointName[] }
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'spent' | 'excused' | 'other' }
