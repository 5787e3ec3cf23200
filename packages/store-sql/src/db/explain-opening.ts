import { isStoreError } from '@storeport/core'
import type { Connections } from './connections.ts'
import { StoreOpenError } from './store-open-error.ts'

/** Turns whatever keeps a database from being opened into a StoreOpenError that says what to do. */
export async function explainOpening<Result>(connections: Connections, opening: Promise<Result>): Promise<Result> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof StoreOpenError) throw error
    throw new StoreOpenError(connections.explain(isStoreError(error) ? error.cause : error))
  }
}
