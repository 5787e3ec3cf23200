/** Reads a stream of JSON lines; our own host wrote them, so their form is not checked again. */
export async function* readLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    for (const line of lines) if (line !== '') yield JSON.parse(line)
    if (done) return
  }
}
