import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects what is no longer needed, or of it what is young, so that it does not hold up what is measured next. */
export function collectGarbage(type: 'major' | 'minor' = 'major'): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type })
}
