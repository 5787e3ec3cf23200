import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8's young generation from growing beyond what it is: with the 32 MB that it would have under load the host holds 125 MB,
 * without them about 100, and takes no more CPU time.
 *
 * V8 reads the flag for its largest size once, before any code runs, but that for how far it grows whenever it would.
 */
export function limitYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
