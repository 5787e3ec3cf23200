import { endChild, forkChild, waitForReply } from './child.ts'
import { type Load, openLoad } from './load.ts'
import { leaveProcessor, onItsOwnProcessor } from './pin.ts'
import { type RawRequest, type TimedEndpoint, timedEndpoints } from './requests.ts'

/** An answer, as far as it is compared. */
export interface ProbeAnswer {
  readonly status: number
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A process that holds one variant. */
export interface Subject {
  /** Sends one request, to see what the variant answers. */
  probe(request: RawRequest): Promise<ProbeAnswer>
  /** CPU time of the process for one request, in microseconds, over a number of requests. */
  measure(endpoint: TimedEndpoint, count: number): Promise<number>
  /** Ends the process. */
  end(): Promise<void>
}

/** Starts a compiled variant. */
export type StartSubject = (file: string, environment?: Readonly<Record<string, string>>) => Promise<Subject>

/** A process that listens. */
export interface ListeningProcess {
  readonly port: number
  readonly pid: number
  /** CPU time that it has taken, in microseconds. */
  cpu(): Promise<number>
  /** Ends the process. */
  end(): Promise<void>
}

/** Starts a compiled server, under another program where one is given, and waits until it listens. */
export async function startPort(
  file: string,
  environment?: Readonly<Record<string, string>>,
  under?: readonly string[],
): Promise<ListeningProcess> {
  const child = forkChild(file, environment, under)
  const { port } = await waitForReply<Reply>(child)
  if (port === undefined) throw new Error(`${file} told no port`)
  return {
    port,
    pid: child.pid ?? 0,
    cpu: async () => {
      child.send('cpu')
      return (await waitForReply<Reply>(child)).cpuMicroseconds ?? Number.NaN
    },
    end: () => endChild(child),
  }
}

/** Starts a server, and sends it requests over sockets. */
export const startServer: StartSubject = async (file, environment) => {
  leaveProcessor()
  const server = await startPort(file, environment, onItsOwnProcessor)
  // A server may end a connection on which nothing comes: they are opened when there is something to send.
  let load: Load | undefined
  return {
    probe: async ({ path, body = null, ...init }) => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { ...init, body })
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
    },
    measure: async (endpoint, count) => {
      load ??= await openLoad(server.port)
      const before = await server.cpu()
      await load.send(count, timedEndpoints[endpoint])
      return ((await server.cpu()) - before) / count
    },
    end: () => {
      load?.close()
      return server.end()
    },
  }
}

/** Starts a process that calls a fetch handler of its own. */
export const startHandler: StartSubject = async (file, environment) => {
  leaveProcessor()
  const child = forkChild(file, environment, onItsOwnProcessor)
  await waitForReply<Reply>(child)
  return {
    probe: async (request) => {
      child.send({ probe: request })
      const { answer } = await waitForReply<Reply>(child)
      if (answer === undefined) throw new Error(`${file} gave no answer`)
      return answer
    },
    measure: async (endpoint, count) => {
      child.send({ endpoint, count })
      return ((await waitForReply<Reply>(child)).cpuMicroseconds ?? Number.NaN) / count
    },
    end: () => endChild(child),
  }
}

/** What the process of a variant tells. */
interface Reply {
  readonly port?: number
  readonly cpuMicroseconds?: number
  readonly answer?: ProbeAnswer
}
