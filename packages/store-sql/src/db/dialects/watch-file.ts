import { statSync } from 'node:fs'
import { StoreError } from '@storeport/core'

/** Looks whether the file of a path is still the one that was opened. */
export interface WatchedFile {
  /** Throws StoreError `store_unavailable` for a file that is gone, or was emptied: a new one would hold nothing. */
  requireContents(): void
  /** Remembers the file that is there now. */
  remember(): void
  /** Throws StoreError `store_unavailable`, the outcome unknown, when it is another file or a shorter one: what was written may be lost. */
  requireSame(): void
}

/** Watches the file of a database, which another program may cut, replace or remove at any time. */
export function watchFile(file: string): WatchedFile {
  let opened = { dev: 0, ino: 0, size: 0 }
  const look = () => statSync(file, { throwIfNoEntry: false })
  return {
    requireContents: () => {
      const isOpened = opened.ino !== 0
      if (isOpened && (look()?.size ?? 0) === 0)
        throw new StoreError('store_unavailable', 'The file of the database is gone: put it back.')
    },
    remember: () => {
      const { dev, ino, size } = look() ?? opened
      opened = { dev, ino, size }
    },
    requireSame: () => {
      const found = look()
      if (found?.dev !== opened.dev || found.ino !== opened.ino || found.size < opened.size) {
        const message =
          'The file of the database was cut, replaced or removed: whether the change is in it is not known.'
        throw new StoreError('store_unavailable', message, { outcome: 'unknown' })
      }
      opened.size = found.size
    },
  }
}
