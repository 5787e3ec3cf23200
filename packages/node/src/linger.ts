import type { Socket } from 'node:net'

/** Time that a caller has to take note of an answer while it still sends, in milliseconds. */
export const lingerMs = 2000

/**
 * Ends our side of a connection and drops what still arrives, until the caller ends its side or the time is up.
 *
 * Closing a connection on which bytes arrive resets it, which can cost the caller the answer that it was just sent.
 */
export function endAndLinger(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return
  socket.end()
  // Instead of Node's parser, which would keep a response for every request.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Makes a connection linger after its last answer: Node ends it by calling `destroySoon`. */
export function lingerAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket)
}
