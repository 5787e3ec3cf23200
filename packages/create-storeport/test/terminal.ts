import { PassThrough } from 'node:stream'
import { run } from '../src/run.ts'

/** Text of a prompt, and the keys to press when the prompt appears. */
export type Answer = readonly [question: string, ...keys: readonly string[]]

/** Characters that a terminal sends for each key. */
export const keys = { enter: '\r', down: '\u001B[B', controlC: '\u0003' } as const

/** Runs the command on a simulated terminal that types `answers`. Without answers, the terminal is not interactive. */
export async function runWith(args: readonly string[], answers: readonly Answer[] = []) {
  const input = Object.assign(new PassThrough(), { isTTY: answers.length > 0, setRawMode: () => {} })
  const [output, errorOutput] = [new PassThrough(), new PassThrough()]
  const left = [...answers]
  let text = ''
  let seen = ''
  output.on('data', (chunk) => {
    text += chunk
    seen += chunk
    const [question, ...pressed] = left[0] ?? []
    if (question === undefined || !seen.includes(question)) return
    left.shift()
    seen = ''
    // Sends the keys one at a time, after the command has drawn the prompt.
    setImmediate(() => {
      for (const key of pressed) input.write(key)
    })
  })
  let errors = ''
  errorOutput.on('data', (chunk) => (errors += chunk))
  const code = await run(args, { input, output, errors: errorOutput })
  return { code, text, errors, unanswered: left.length }
}
