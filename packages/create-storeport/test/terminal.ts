import { PassThrough } from 'node:stream'
import { run } from '../src/run.ts'

/** What somebody presses when a question is on the screen. */
export type Answer = readonly [question: string, ...keys: readonly string[]]

/** Keys by name, as a terminal sends them. */
export const keys = { enter: '\r', down: '\u001B[B', controlC: '\u0003' } as const

/** Runs the command with somebody at the terminal who answers; without answers nobody is there. */
export async function runWith(words: readonly string[], answers: readonly Answer[] = []) {
  const input = Object.assign(new PassThrough(), { isTTY: answers.length > 0, setRawMode: () => {} })
  const [output, errors] = [new PassThrough(), new PassThrough()]
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
    // One key at a time, as fingers do; the prompt listens once it is drawn.
    setImmediate(() => {
      for (const key of pressed) input.write(key)
    })
  })
  let faults = ''
  errors.on('data', (chunk) => (faults += chunk))
  const code = await run(words, { input, output, errors })
  return { code, text, faults, unanswered: left.length }
}
