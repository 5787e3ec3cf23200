import { setFlagsFromString } from 'node:v8'

/**
 * Limits V8's heap growth, without a measured cost in CPU time. With a young generation of 32 MB, which V8 chooses under load, the
 * host uses 125 MB; with the initial 2 MB, about 100 MB.
 *
 * V8 reads the maximum heap size only before any code runs, but reads the growth flags each time the heap grows.
 */
export function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  // A small young generation promotes short-lived objects. By default V8 would then let the old generation grow fourfold.
  setFlagsFromString('--heap-growing-percent=100')
}
