import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './connection.ts'

/** Maximum number of concurrent requests per connection. */
const maxConcurrent = 8

/** Maximum number of waiting requests across all connections. */
const maxWaiting = 4000

/** Pipelined requests of one connection, except the request whose response is sent next. */
interface Pipeline {
  readonly socket: Socket
  /** Number of in-flight requests. */
  running: number
  /** Requests that have not started, in order of arrival. */
  readonly waiting: Waiting[]
  /** Response to the newest request, started or waiting. */
  newest: ServerResponse | undefined
  /** Response to the newest request that has started. */
  started: ServerResponse | undefined
  /** Whether `runWaiting` is scheduled for the next turn of the event loop. */
  isScheduled: boolean
  /** Whether further requests are dropped, for example after a response with `Connection: close`. */
  isOver: boolean
  /** Pauses the connection again when Node resumes it. */
  readonly pauseAgain: () => void
}

/** Stops reading from a connection. Node resumes it after each complete request, so `pauseAgain` pauses it again. */
function stopReading({ socket, pauseAgain }: Pipeline): void {
  socket.on('resume', pauseAgain)
  socket.pause()
}

interface Waiting {
  readonly res: ServerResponse
  readonly work: () => void
}

/**
 * Limits the concurrent requests of each connection, and stops reading from a connection while requests wait.
 *
 * A request is in flight until its response has been sent. The limit is necessary because Node parses whole chunks of
 * 65,536 bytes, which can contain more than a thousand requests.
 */
export function limitPipelining() {
  const pipelines = new WeakMap<Socket, Pipeline>()
  let totalWaiting = 0

  /** Runs a request immediately, or when earlier requests have finished. */
  function start(req: IncomingMessage, res: ServerResponse, work: () => void): void {
    // Only the response that is sent next has a socket. Without pipelining, every response has a socket.
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
      // Deferred, so that a connection with many waiting requests does not block other connections.
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
        // After the last response, the connection must be read to detect when the caller ends its side.
        if (!socket.writableEnded) socket.pause()
      },
    }
    pipelines.set(socket, pipeline)
    socket.once('close', () => end(pipeline))
    return pipeline
  }

  /** Returns the response to the newest request of a connection; `undefined` if no request is in flight or waiting. */
  const newestResponse = (socket: Socket) => pipelines.get(socket)?.newest ?? currentResponse(socket)
  return { start, newestResponse }
}
