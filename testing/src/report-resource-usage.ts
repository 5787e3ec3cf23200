/*
 * Node preloads this file into a process (`node --expose-gc --import …`). Replies to each message with the resource usage
 * after garbage collection. The resident set size is unsuitable for tests, since it grows in steps and shrinks late.
 */

/** Resource usage of a process. */
export interface ResourceUsage {
  /** Bytes of JavaScript objects and buffers. */
  readonly bytes: number
  /** Number of timers, sockets and similar resources. */
  readonly resources: number
}

process.on('message', () => void report())
process.on('disconnect', () => process.exit())
// Lets the process exit while the channel is open.
process.channel?.unref()

async function report(): Promise<void> {
  // Repeats the collection, since finalizers that run after a collection create new garbage.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    await new Promise(setImmediate)
  }
  const { heapUsed, external } = process.memoryUsage()
  const usage: ResourceUsage = { bytes: heapUsed + external, resources: process.getActiveResourcesInfo().length }
  process.send?.(usage)
}
