/*
 * Replies to each message with the resource usage after garbage collection, in a process that preloads this file
 * (`node --expose-gc --import …`). Does not use the resident set size, which grows in steps and shrinks late.
 */

/** Resource usage of a process. */
export interface ResourceUsage {
  /** Size of JavaScript objects and buffers, in bytes. */
  readonly bytes: number
  /** Number of active resources, such as timers and sockets. */
  readonly resources: number
}

process.on('message', () => void report())
process.on('disconnect', () => process.exit())
// Allows the process to exit while the IPC channel is open.
process.channel?.unref()

async function report(): Promise<void> {
  // Repeats the collection, because finalizers that run after a collection create new garbage.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    await new Promise(setImmediate)
  }
  const { heapUsed, external } = process.memoryUsage()
  const usage: ResourceUsage = { bytes: heapUsed + external, resources: process.getActiveResourcesInfo().length }
  process.send?.(usage)
}
