import type { RedisClient } from '../src/index.ts'

/** A client with which a test can count, delay or reject commands. */
export interface WatchedClient extends RedisClient {
  /** Names of the commands that were sent. */
  readonly sent: string[]
  /** Runs before each command. The command waits for this function, and fails if the function throws. */
  before: () => Promise<void> | void
}

/** Wraps a client so that a test can count, delay or reject the commands. */
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

/** A promise that the test resolves. */
export function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}
