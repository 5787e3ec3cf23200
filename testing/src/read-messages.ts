/** One message of the PostgreSQL protocol. */
export interface Message {
  /** Type letter such as `Q`, `E` or `Z`. Empty for the first message of a client. */
  readonly type: string
  readonly bytes: Buffer
}

/** Splits the bytes of a connection into messages. `startsUntyped`: the first message has no type, like the first message that a client sends. */
export function createMessageReader(startsUntyped: boolean): (chunk: Buffer) => readonly Message[] {
  let rest: Buffer = Buffer.alloc(0)
  let isUntyped = startsUntyped

  const next = (): Message | undefined => {
    const at = isUntyped ? 0 : 1
    if (rest.length < at + 4) return undefined
    const end = at + rest.readUInt32BE(at)
    if (rest.length < end) return undefined
    const message = { type: rest.toString('latin1', 0, at), bytes: rest.subarray(0, end) }
    rest = rest.subarray(end)
    isUntyped = false
    return message
  }

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Message[] = []
    for (let message = next(); message !== undefined; message = next()) messages.push(message)
    return messages
  }
}
