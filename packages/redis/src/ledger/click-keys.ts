import type { Click } from '@storeport/core'

/** The names of what a ledger keeps: the click, and of its customer the tries that have not ended (by begin and by end) and the last success. */
export type ClickKeys = readonly [click: string, open: string, ends: string, last: string]

/**
 * Returns the keys of a click, which hold digests alone.
 *
 * All have one hash tag, so that a cluster keeps them on one node: a key that was sent for another customer before is found there.
 */
export function clickKeys(prefix: string, { id, customer }: Click): ClickKeys {
  const name = (kind: string, digest: string) => `{${prefix}}:${kind}:${digest}`
  return [name('click', id), name('open', customer), name('ends', customer), name('last', customer)]
}
