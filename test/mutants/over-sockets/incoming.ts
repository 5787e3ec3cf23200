import type { Socket } from 'node:net'

/** The unread data of a connection. */
export interface Incoming {
  /** Reads Latin-1 text up to and including a delimiter. Returns `undefined` if the connection ends earlier. */
  readUntil(mark: string): Promise<string | undefined>
  /** Reads this number of bytes as UTF-8, or fewer if the connection ends earlier. */
  readBytes(count: number): Promise<string>
  /** Reads a string if the unread data starts with the string. Otherwise returns an empty string. */
  skip(mark: string): Promise<string>
  /** Whether a complete request head has arrived. */
  hasRequest(): boolean
  /** Discards all unread data. */
  drop(): void
}

/** Collects the data of a connection. */
export function collect(socket: Socket): Incoming {
  let unread = Buffer.alloc(0)
  let isOver = false
  let wake = () => {}
  socket.on('data', (data: Buffer) => {
    unread = Buffer.concat([unread, data])
    wake()
  })
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      isOver = true
      wake()
    })
  }
  const take = (count: number) => {
    const taken = unread.subarray(0, count)
    unread = unread.subarray(count)
    return taken
  }
  async function waitUntil(isEnough: () => boolean): Promise<void> {
    if (isEnough() || isOver) return
    await new Promise<void>((resolve) => (wake = resolve))
    return waitUntil(isEnough)
  }
  return {
    async readUntil(mark) {
      await waitUntil(() => unread.includes(mark))
      const at = unread.indexOf(mark)
      return at === -1 ? undefined : take(at + mark.length).toString('latin1')
    },
    async readBytes(count) {
      await waitUntil(() => unread.length >= count)
      return take(count).toString('utf8')
    },
    async skip(mark) {
      await waitUntil(() => unread.length >= mark.length)
      return unread.subarray(0, mark.length).toString('latin1') === mark ? take(mark.length).toString('latin1') : ''
    },
    hasRequest: () => unread.includes('\r\n\r\n'),
    drop() {
      unread = Buffer.alloc(0)
    },
  }
}
