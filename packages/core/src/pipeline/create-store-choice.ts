import { StoreError } from '../errors.ts'
import type { StorePort } from '../store-port.ts'
import type { Call } from './call.ts'
import type { Progress } from './progress.ts'
import type { Settings } from './settings.ts'
import { asksForTestStore } from './test-mode.ts'

/** Returns the store that answers a call. */
export type ChooseStore = (call: Call, progress: Progress) => StorePort

/** Makes the choice between the real store and the test store (TEST-1, TEST-2). */
export function createStoreChoice({ store, testStore, testModeHeader }: Settings): ChooseStore {
  const headerName = testModeHeader.toLowerCase()

  function storeFor(testMode: boolean): StorePort {
    if (!testMode) return store
    if (testStore !== undefined) return testStore
    throw new StoreError('invalid_request', `${testModeHeader}, test=true: this shop has no test store`)
  }

  return (call, progress) => {
    progress.testMode = asksForTestStore(call, testModeHeader, headerName)
    return storeFor(progress.testMode)
  }
}
