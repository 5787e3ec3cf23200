import type { Socket } from 'node:net'

/** One direction of a connection. Delivers chunks of bytes in order, each after a delay. */
export interface DelayLane {
  /** Queues bytes for delivery. */
  push(bytes: Buffer): void
  /** Closes the receiving socket after all queued bytes are delivered. */
  end(): void
}

/** Number of queued bytes at which the sender is paused. */
const maxQueuedBytes = 1_048_576

/** Creates a lane from one socket to another. `delayMs` returns the delay of the next chunk. */
export function createDelayLane(from: Socket, to: Socket, delayMs: () => number): DelayLane {
  const waiting: { readonly dueAt: number; readonly bytes: Buffer | undefined }[] = []
  let queued = 0
  let timer: NodeJS.Timeout | undefined

  function deliver(): void {
    timer = undefined
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const left = next.dueAt - performance.now()
      if (left > 0) {
        timer = setTimeout(deliver, left)
        return
      }
      waiting.shift()
      if (next.bytes === undefined) to.destroySoon()
      else {
        queued -= next.bytes.length
        if (to.writable) to.write(next.bytes)
      }
    }
    if (queued < maxQueuedBytes) from.resume()
  }

  function enqueue(bytes: Buffer | undefined): void {
    waiting.push({ dueAt: performance.now() + delayMs(), bytes })
    queued += bytes?.length ?? 0
    if (queued >= maxQueuedBytes) from.pause()
    if (timer === undefined) deliver()
  }

  return { push: enqueue, end: () => enqueue(undefined) }
}
