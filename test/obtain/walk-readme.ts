import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { expect } from 'vitest'
import { runLine, startLine } from '@storeport/testing/run-as-user'

/** A file to create, a command to run, a server to start, or a request with its expected response. */
type Step =
  | { readonly kind: 'file'; readonly name: string; readonly code: string }
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'server'; readonly line: string }
  | { readonly kind: 'request'; readonly line: string; readonly response: string }

/** Matches a file that the page names and shows, a shell block, or an inline command. */
const parts =
  /`(?<name>[\w./[\]-]+\.m?ts)`:\s+(?:<!-- .* -->\s+)?```ts\n(?<code>[^]*?)^```|^```sh\n(?<shell>[^]*?)^```|`(?<inline>STOREPORT_API_KEY=[^`]+)`/gm

/** Returns the steps on a page up to the first request, or up to the server start if the page has no request. */
function stepsOf(page: string): readonly Step[] {
  const text = readFileSync(page, 'utf8')
  const steps: Step[] = []
  const hasRequest = /^curl /m.test(text)
  for (const { groups = {}, index, 0: whole } of text.matchAll(parts)) {
    const { name, code, shell, inline } = groups
    if (name !== undefined && code !== undefined) steps.push({ kind: 'file', name, code })
    const lines = (shell ?? inline ?? '').replaceAll(/\\\n\s*/g, '').split('\n')
    for (const line of lines.filter((entry) => entry !== '')) {
      // Skips `npm ci`, which needs a clone of the repository.
      if (line.startsWith('npm ci')) continue
      if (line.startsWith('curl')) {
        const response = /^\s+(?:answers|The response is) `([^`]+)`/.exec(text.slice(index + whole.length))?.[1]
        if (response === undefined) throw new Error(`${page} does not show the response to ${line}`)
        return [...steps, { kind: 'request', line, response }]
      }
      const isServer = /^STOREPORT_API_KEY=\S+ npx (?:tsx|next)/.test(line)
      steps.push({ kind: isServer ? 'server' : 'command', line })
      if (isServer && !hasRequest) return steps
    }
  }
  throw new Error(`${page} does not start a server`)
}

/**
 * Follows the steps of a page in a folder, with a free port instead of the documented port. Calls `visit` with the
 * server's URL before the server stops.
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
        await runLine(folder, `${curlUntilReady} http://localhost:${port}/`, env)
      } else {
        const { text } = await runLine(folder, step.line.replaceAll('3000', port).replace('curl', 'curl --silent'), env)
        expect(text, step.line).toBe(step.response)
      }
    }
    await visit(`http://localhost:${port}`)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** Waits until the port accepts connections, because some servers print nothing when they start. */
const curlUntilReady = 'curl --silent --output /dev/null --retry 120 --retry-connrefused --retry-delay 1'
