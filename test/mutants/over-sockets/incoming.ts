import type { Socket } from 'node:net'

/** What arrives on a connection, in letters of one byte each. */
export interface Incoming {
  /** What comes up to and with a mark; `undefined` when the connection ends before. */
  readUntil(mark: string): Promise<string | undefined>
  /** As many bytes, as UTF-8; fewer when the connection ends before. */
  readBytes(count: number): Promise<string>
  /** Takes a mark when it is next. */
  skip(mark: string): Promise<string>
  /** Whether the head of a request has arrived. */
  hasRequest(): boolean
  /** Forgets what has arrived. */
  drop(): void
}

/** Starts to collect what arrives. */
export function collect(socket: Socket): Incoming {
  let held = Buffer.alloc(0)
  let isOver = false
  let wake = () => {}
  socket.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data])
    wake()
  })
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      isOver = true
      wake()
    })
  }
  const take = (count: number) => {
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }
  async function waitUntil(isEnough: () => boolean): Promise<void> {
    if (isEnough() || isOver) return
    await new Promise<void>((resolve) => (wake = resolve))
    return waitUntil(isEnough)
  }
  return {
    async readUntil(mark) {
      await waitUntil(() => held.includes(mark))
      const at = held.indexOf(mark)
      return at === -1 ? undefined : take(at + mark.length).toString('latin1')
    },
    async readBytes(count) {
      await waitUntil(() => held.length >= count)
      return take(count).toString('utf8')
    },
    async skip(mark) {
      await waitUntil(() => held.length >= mark.length)
      return held.subarray(0, mark.length).toString('latin1') === mark ? take(mark.length).toString('latin1') : ''
    },
    hasRequest: () => held.includes('\r\n\r\n'),
    drop() {
      held = Buffer.alloc(0)
    },
  }
}
