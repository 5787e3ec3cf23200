/*
 * Loaded into a process of its own (`node --expose-gc --import …`): answers each message with what the process holds after
 * everything that can go has gone. What the machine has given a process says little about that: it comes in steps, and late.
 */

/** What a process holds. */
export interface ResourceUsage {
  /** Bytes of JavaScript objects and of buffers. */
  readonly bytes: number
  /** Timers, sockets and the like. */
  readonly resources: number
}

process.on('message', () => void report())
process.on('disconnect', () => process.exit())
// It does not keep a process from its end.
process.channel?.unref()

async function report(): Promise<void> {
  // Finalizers of the first collection leave garbage to the next.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    await new Promise(setImmediate)
  }
  const { heapUsed, external } = process.memoryUsage()
  const held: ResourceUsage = { bytes: heapUsed + external, resources: process.getActiveResourcesInfo().length }
  process.send?.(held)
}
