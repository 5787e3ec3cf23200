import {
  type Call,
  type CompleteStorePort,
  createIntegration,
  type Integration,
  type IntegrationOptions,
  memoryLedger,
  StoreError,
  type StorePort,
} from '@storeport/core'
import {
  type Clock,
  createSeedProfile,
  type PlainRequest,
  type Profile,
  type Send,
  sendByHttp,
} from '@storeport/conformance'
import type { Flaw } from './over-sockets/flaws.ts'
import { serveFlawed } from './over-sockets/serve-flawed.ts'
import type { Answered, ChangeAnswer, Sent } from './messages.ts'
import { type ShopChanges, shopOfRules } from './shop-of-rules.ts'

/** A correct shop with a single, typical defect. */
export interface Mutant extends ShopChanges {
  /** Short description of the defect. */
  readonly defect: string
  /** Profile for the checks. Default: the profile of the seed. */
  readonly profile?: Profile
  /** Changes a request, or returns a response immediately. */
  readonly request?: (sent: Sent) => Sent | Answered
  /** Changes a response. */
  readonly answer?: ChangeAnswer
  /** Methods that replace methods of the correct store. */
  readonly store?: (store: CompleteStorePort) => Partial<StorePort>
  /** Defect in the HTTP server. A mutant with this field is tested over sockets. */
  readonly flaw?: Flaw
  /** Additional options of the integration. */
  readonly options?: Partial<IntegrationOptions>
}

/** API keys that every shop in these tests accepts. */
export const keys = { first: 'mutants-key-0001', second: 'mutants-key-0002' } as const

/** A shop with the seed in yen, which has no decimals: 1995 instead of 19.95. */
export const yenShop = { currency: 'JPY', profile: createSeedProfile('JPY') } satisfies Partial<Mutant>

let aheadMs = 0

/** Clock of every shop and of the checks. `sleep` advances the clock instead of waiting. */
export const clock: Clock = {
  now: () => Math.floor(performance.now() + aheadMs),
  sleep: async (ms) => void (aheadMs += ms),
}

/** Starts a shop. Returns a function that sends requests to the shop in this process, or over sockets for a `flaw`. */
export function start(mutant: Partial<Mutant> = {}): Send {
  const correct = shopOfRules(mutant)
  const store = { ...correct, ...mutant.store?.(correct) }
  const apiKeys = [keys.first, keys.second]
  const { currency, options } = mutant
  const retries = options?.retries !== false && { ledger: memoryLedger({ now: clock.now }), ...options?.retries }
  const integration = createIntegration({ store, apiKeys, currency, onError: () => {}, ...options, retries })
  const { request: change = (sent: Sent) => sent, answer = (answered: Answered) => answered } = mutant

  const send: Send = async (request) => {
    const sent = await toSent(request)
    const changed = change(sent)
    if (!('method' in changed)) return changed
    const { status, headers, body } = await integration.answer(toCall(changed))
    const answered = { status, headers: Object.entries(headers), body: changed.method === 'HEAD' ? '' : body }
    return answer(answered, sent)
  }
  return mutant.flaw === undefined
    ? Object.assign(send, { unsupported: ['http-parser'] as const })
    : createSocketSend(integration, mutant.flaw)
}

/** Returns a function that sends requests over sockets to a flawed server. The first request starts the server. */
function createSocketSend(integration: Integration, flaw: Flaw): Send {
  let way: Promise<Send> | undefined
  const started = () => (way ??= serveFlawed(integration, flaw).then(sendByHttp))
  const connect = async () => {
    const { connect: open } = await started()
    if (open === undefined) throw new TypeError('expected a function that opens connections')
    return open()
  }
  return Object.assign(async (request: PlainRequest) => (await started())(request), { connect })
}

async function toSent({ method, target, headers, body }: PlainRequest): Promise<Sent> {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  return { method, path, query, headers, body: body === undefined ? undefined : await textOf(body) }
}

async function textOf(body: NonNullable<PlainRequest['body']>): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8')
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function toCall({ method, path, query, headers, body = '' }: Sent): Call {
  return {
    method,
    path,
    query,
    header: (name) => {
      const lines = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
      return lines.length === 0 ? undefined : lines.join(', ')
    },
    text: async (maxBytes) => {
      if (Buffer.byteLength(body) > maxBytes) throw new StoreError('payload_too_large')
      return body
    },
  }
}
