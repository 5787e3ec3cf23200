/** One message of the PostgreSQL protocol. */
export interface Message {
  /** Type letter such as `Q`, `E` or `Z`. Empty for a client's first message. */
  readonly type: string
  readonly bytes: Buffer
}

/** Creates a function that splits a byte stream into messages. `startsUntyped` is true for the stream from a client. */
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
