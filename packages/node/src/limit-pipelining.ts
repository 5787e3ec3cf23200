import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './connection.ts'

/** Maximum concurrent requests of one connection. */
const maxConcurrent = 8

/** Maximum number of waiting requests on all connections together. */
const maxWaiting = 4000

/** Pipelined requests of one connection, except the request whose response is the next to send. */
interface Pipeline {
  readonly socket: Socket
  /** Number of requests in flight. */
  running: number
  /** Waiting requests in order. */
  readonly waiting: Waiting[]
  /** Response to the newest request that will run. */
  newest: ServerResponse | undefined
  /** Response to the newest request that has started. */
  started: ServerResponse | undefined
  /** Whether waiting requests start in the next turn of the event loop. */
  isScheduled: boolean
  /** Whether the last response of the connection is known. Later requests do not run. */
  isOver: boolean
  /** Pauses the connection again when Node resumes it. */
  readonly pauseAgain: () => void
}

/** Stops reading from a connection. Node resumes the connection after each complete request, so `pauseAgain` then pauses it. */
function stopReading({ socket, pauseAgain }: Pipeline): void {
  socket.on('resume', pauseAgain)
  socket.pause()
}

interface Waiting {
  readonly res: ServerResponse
  readonly work: () => void
}

/** Limits the concurrent requests of each connection. */
export interface PipeliningLimit {
  /** Runs a request immediately, or when earlier requests have finished. */
  start(req: IncomingMessage, res: ServerResponse, work: () => void): void
  /** Returns the response to the newest request of a connection; `undefined` without requests. */
  newestResponse(socket: Socket): ServerResponse | undefined
}

/**
 * Limits the concurrent requests of each connection, and stops reading from a connection while requests wait.
 *
 * A request is in flight until its response has been sent. Node stops reading only after a chunk of 65,536 bytes, which can contain
 * more than a thousand requests.
 */
export function limitPipelining(): PipeliningLimit {
  const pipelines = new WeakMap<Socket, Pipeline>()
  let totalWaiting = 0

  function start(req: IncomingMessage, res: ServerResponse, work: () => void): void {
    // Only the next response to send has a socket. For nearly every request, its response is the next.
    if (res.socket !== null) return work()
    const pipeline = pipelineOf(req.socket)
    const before = pipeline.newest ?? currentResponse(req.socket)
    if (before?.shouldKeepAlive === false) end(pipeline)
    if (pipeline.isOver) return
    pipeline.newest = res
    if (pipeline.waiting.length === 0 && pipeline.running < maxConcurrent - 1) run(pipeline, { res, work })
    else enqueue(pipeline, { res, work })
  }

  function run(pipeline: Pipeline, { res, work }: Waiting): void {
    pipeline.running += 1
    pipeline.started = res
    res.once('close', () => {
      pipeline.running -= 1
      if (pipeline.newest === res) pipeline.newest = undefined
      if (pipeline.waiting.length === 0 || pipeline.isScheduled) return
      pipeline.isScheduled = true
      // Deferred, so that a caller that reads responses immediately does not block other connections.
      setImmediate(runWaiting, pipeline)
    })
    work()
  }

  function enqueue(pipeline: Pipeline, request: Waiting): void {
    if (totalWaiting >= maxWaiting) {
      pipeline.socket.destroy()
      return end(pipeline)
    }
    if (pipeline.waiting.length === 0) stopReading(pipeline)
    totalWaiting += 1
    pipeline.waiting.push(request)
  }

  function runWaiting(pipeline: Pipeline): void {
    pipeline.isScheduled = false
    while (pipeline.running < maxConcurrent - 1) {
      if (pipeline.started?.shouldKeepAlive === false) return end(pipeline)
      const next = pipeline.waiting.shift()
      if (next === undefined) break
      totalWaiting -= 1
      run(pipeline, next)
    }
    if (pipeline.waiting.length > 0) return
    pipeline.socket.off('resume', pipeline.pauseAgain)
    pipeline.socket.resume()
  }

  function end(pipeline: Pipeline): void {
    if (pipeline.isOver) return
    pipeline.isOver = true
    if (pipeline.waiting.length === 0) stopReading(pipeline)
    totalWaiting -= pipeline.waiting.length
    pipeline.waiting.length = 0
  }

  function pipelineOf(socket: Socket): Pipeline {
    const existing = pipelines.get(socket)
    if (existing !== undefined) return existing
    const pipeline: Pipeline = {
      socket,
      running: 0,
      waiting: [],
      newest: undefined,
      started: undefined,
      isScheduled: false,
      isOver: false,
      pauseAgain: () => {
        // After its last response, a connection is read again to detect the end of the caller's side.
        if (!socket.writableEnded) socket.pause()
      },
    }
    pipelines.set(socket, pipeline)
    socket.once('close', () => end(pipeline))
    return pipeline
  }

  return { start, newestResponse: (socket) => pipelines.get(socket)?.newest ?? currentResponse(socket) }
}
