import type { Socket } from 'node:net'

/** One direction of a connection: what is pushed arrives in order, each part a while later. */
export interface DelayLane {
  /** Sends bytes on their way; those that come while the lane is frozen wait until it thaws. */
  push(bytes: Buffer): void
  /** Delivers nothing from now on; what is on its way stays there. */
  freeze(): void
  /** Delivers again. */
  thaw(): void
  /** Closes the far end after everything has arrived: who looks at a frozen line does not learn that it was cut. */
  end(): void
}

/** Most bytes on their way before the sender is held up. */
const mostBytes = 1_048_576

/** Makes the direction from one socket to the other; the delay, in milliseconds, is asked for with each part. */
export function createDelayLane(from: Socket, to: Socket, delayMs: () => number): DelayLane {
  const waiting: { readonly dueAt: number; readonly bytes: Buffer | undefined }[] = []
  let queued = 0
  const state = { isFrozen: false }
  let timer: NodeJS.Timeout | undefined

  function deliver(): void {
    timer = undefined
    for (let next = waiting[0]; next !== undefined && !state.isFrozen; next = waiting[0]) {
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
    if (queued < mostBytes) from.resume()
  }

  function wait(bytes: Buffer | undefined): void {
    waiting.push({ dueAt: performance.now() + delayMs(), bytes })
    queued += bytes?.length ?? 0
    if (queued >= mostBytes) from.pause()
    if (timer === undefined) deliver()
  }

  return {
    push: wait,
    freeze: () => {
      state.isFrozen = true
    },
    thaw: () => {
      state.isFrozen = false
      if (timer === undefined) deliver()
    },
    end: () => wait(undefined),
  }
}
