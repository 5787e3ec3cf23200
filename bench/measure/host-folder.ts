import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiKey } from '../shop.ts'

/** The settings of a host with SQLite in a folder of its own. */
export interface HostFolder {
  readonly environment: Readonly<Record<string, string>>
  /** Removes the folder. */
  remove(): Promise<void>
}

/** Makes the folder of a host. */
export async function hostFolder(): Promise<HostFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-bench-'))
  return {
    environment: {
      PORT: '0',
      STOREPORT_API_KEYS: apiKey,
      STOREPORT_DATA: folder,
      STOREPORT_LOG: 'warn',
      STOREPORT_PLAYGROUND: 'off',
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
