import type { RedisClient } from '../src/index.ts'

/** A client whose commands a test counts, delays or lets fail. */
export interface WatchedClient extends RedisClient {
  /** The names of the commands that were sent. */
  readonly sent: string[]
  /** Runs before each command; the command waits for it, and fails with its error. */
  before: () => Promise<void> | void
}

/** Wraps a client. */
export function watchClient(client: RedisClient): WatchedClient {
  const watched: WatchedClient = {
    sent: [],
    before: () => {},
    call: async (command, ...args) => {
      watched.sent.push(command)
      await watched.before()
      return client.call(command, ...args)
    },
  }
  return watched
}

/** A promise that a test resolves. */
export function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}
