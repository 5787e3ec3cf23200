import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { expect } from 'vitest'
import { runLine, startLine } from './run-as-user.ts'

/** A file of the reader, a command, or a call and what the page says is answered to it. */
type Step =
  | { readonly kind: 'file'; readonly name: string; readonly code: string }
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'server'; readonly line: string }
  | { readonly kind: 'call'; readonly line: string; readonly answer: string }

/** A file that the page names and shows, the lines of a shell, or a line of a shell in the middle of a text. */
const parts =
  /`(?<name>[\w./[\]-]+\.m?ts)`:\s+(?:<!-- .* -->\s+)?```ts\n(?<code>[^]*?)^```|^```sh\n(?<shell>[^]*?)^```|`(?<inline>STOREPORT_API_KEY=[^`]+)`/gm

/** What a page tells its reader to do: until its first call, or until its server runs where it has none. */
function stepsOf(page: string): readonly Step[] {
  const text = readFileSync(page, 'utf8')
  const steps: Step[] = []
  const hasCall = /^curl /m.test(text)
  for (const { groups = {}, index, 0: whole } of text.matchAll(parts)) {
    const { name, code, shell, inline } = groups
    if (name !== undefined && code !== undefined) steps.push({ kind: 'file', name, code })
    const lines = (shell ?? inline ?? '').replaceAll(/\\\n\s*/g, '').split('\n')
    for (const line of lines.filter((one) => one !== '')) {
      // A command for a clone has its own test.
      if (line.startsWith('npm ci')) continue
      if (line.startsWith('curl')) {
        const answer = /^\s+(?:answers|The response is) `([^`]+)`/.exec(text.slice(index + whole.length))?.[1]
        if (answer === undefined) throw new Error(`${page} does not say what is answered to ${line}`)
        return [...steps, { kind: 'call', line, answer }]
      }
      const isServer = /^STOREPORT_API_KEY=\S+ npx (?:tsx|next)/.test(line)
      steps.push({ kind: isServer ? 'server' : 'command', line })
      if (isServer && !hasCall) return steps
    }
  }
  throw new Error(`${page} starts no server`)
}

/**
 * Does what a page tells, in a folder; its port, which the page fixes, is a free one. `visit` gets the address of the server before it
 * is stopped.
 */
export async function walkReadme(
  page: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  visit: (url: string) => Promise<void> = async () => {},
): Promise<void> {
  const port = String(await findFreePort())
  const servers: Awaited<ReturnType<typeof startLine>>[] = []
  try {
    for (const step of stepsOf(page)) {
      if (step.kind === 'file') {
        mkdirSync(dirname(join(folder, step.name)), { recursive: true })
        writeFileSync(join(folder, step.name), step.code.replaceAll('3000', port))
      } else if (step.kind === 'command') {
        expect(await runLine(folder, step.line, env), step.line).toMatchObject({ code: 0 })
      } else if (step.kind === 'server') {
        servers.push(await startLine(folder, `env ${step.line}`, { ...env, PORT: port }))
        await runLine(folder, `${untilAnswered} http://localhost:${port}/`, env)
      } else {
        const { text } = await runLine(folder, step.line.replaceAll('3000', port).replace('curl', 'curl --silent'), env)
        expect(text, step.line).toBe(step.answer)
      }
    }
    await visit(`http://localhost:${port}`)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** Some of the servers say nothing when they listen. */
const untilAnswered = 'curl --silent --output /dev/null --retry 120 --retry-connrefused --retry-delay 1'
