import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './connection.ts'

/** Requests of one connection that are in work at once. */
const mostAtOnce = 8

/** Requests that wait for others of their connection, on all connections together. */
const mostWaiting = 4000

/** The requests of one connection behind the one whose answer is sent next. */
interface Pipeline {
  readonly socket: Socket
  /** How many of them are in work. */
  running: number
  /** The others, in their order. */
  readonly waiting: Waiting[]
  /** The response to the newest of all that will be answered. */
  newest: ServerResponse | undefined
  /** The response to the newest that is in work, or was. */
  started: ServerResponse | undefined
  /** Whether the next of them start in the next turn of the event loop. */
  isScheduled: boolean
  /** Whether no answer comes any more: what is sent behind the last answer is not run. */
  isOver: boolean
  /** Keeps the connection from being read. */
  readonly pauseAgain: () => void
}

/** Node resumes after each request that it has read whole. */
function stopReading({ socket, pauseAgain }: Pipeline): void {
  socket.on('resume', pauseAgain)
  socket.pause()
}

interface Waiting {
  readonly res: ServerResponse
  readonly work: () => void
}

/** Keeps each connection of a server to a few requests in work. */
export interface PipeliningLimit {
  /** Begins the work for a request, at once or when it is its turn. */
  start(req: IncomingMessage, res: ServerResponse, work: () => void): void
  /** The response to the newest request of a connection; `undefined` when it has none. */
  newestResponse(socket: Socket): ServerResponse | undefined
}

/**
 * Limits how many requests of one connection are in work, and stops reading from it while others wait.
 *
 * A request is in work until its answer was taken. Node itself stops reading only after a piece of 65,536 bytes, which
 * can hold a thousand requests and more.
 */
export function limitPipelining(): PipeliningLimit {
  const pipelines = new WeakMap<Socket, Pipeline>()
  let waitingInAll = 0

  function start(req: IncomingMessage, res: ServerResponse, work: () => void): void {
    // A response has its connection when its answer is sent next: nearly every request is alone on its connection.
    if (res.socket !== null) return work()
    const pipeline = pipelineOf(req.socket)
    const before = pipeline.newest ?? currentResponse(req.socket)
    if (before?.shouldKeepAlive === false) end(pipeline)
    if (pipeline.isOver) return
    pipeline.newest = res
    if (pipeline.waiting.length === 0 && pipeline.running < mostAtOnce - 1) run(pipeline, { res, work })
    else hold(pipeline, { res, work })
  }

  function run(pipeline: Pipeline, { res, work }: Waiting): void {
    pipeline.running += 1
    pipeline.started = res
    res.once('close', () => {
      pipeline.running -= 1
      if (pipeline.newest === res) pipeline.newest = undefined
      if (pipeline.waiting.length === 0 || pipeline.isScheduled) return
      pipeline.isScheduled = true
      // Not at once: as long as answers are taken at once, no other connection would get its turn.
      setImmediate(runWaiting, pipeline)
    })
    work()
  }

  function hold(pipeline: Pipeline, request: Waiting): void {
    if (waitingInAll >= mostWaiting) {
      pipeline.socket.destroy()
      return end(pipeline)
    }
    if (pipeline.waiting.length === 0) stopReading(pipeline)
    waitingInAll += 1
    pipeline.waiting.push(request)
  }

  function runWaiting(pipeline: Pipeline): void {
    pipeline.isScheduled = false
    while (pipeline.running < mostAtOnce - 1) {
      if (pipeline.started?.shouldKeepAlive === false) return end(pipeline)
      const next = pipeline.waiting.shift()
      if (next === undefined) break
      waitingInAll -= 1
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
    waitingInAll -= pipeline.waiting.length
    pipeline.waiting.length = 0
  }

  function pipelineOf(socket: Socket): Pipeline {
    const known = pipelines.get(socket)
    if (known !== undefined) return known
    const pipeline: Pipeline = {
      socket,
      running: 0,
      waiting: [],
      newest: undefined,
      started: undefined,
      isScheduled: false,
      isOver: false,
      pauseAgain: () => {
        // A connection whose last answer was sent is read from once more, for the end of the caller's side.
        if (!socket.writableEnded) socket.pause()
      },
    }
    pipelines.set(socket, pipeline)
    socket.once('close', () => end(pipeline))
    return pipeline
  }

  return { start, newestResponse: (socket) => pipelines.get(socket)?.newest ?? currentResponse(socket) }
}
