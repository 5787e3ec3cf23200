import type { Failure } from './connections.ts'

/** What an error of pg means: one of the server, by its SQLSTATE, or one of the connection. */
export function postgresFailure(error: unknown): Failure | undefined {
  const code = errorCode(error)
  if (code === undefined) return failureWithoutCode(error)
  if (conflicts.has(code)) return { retry: true, broken: false, lost: false }
  if (losses.has(code)) return lost
  if (shortages.has(code) || code.startsWith('53') || code.startsWith('28'))
    return { retry: false, broken: true, lost: false }
  // 57014: the statement took too long, or was cancelled. 55P03: so did a lock.
  if (code === '57014' || code === '55P03') return { retry: false, broken: false, lost: false }
  return undefined
}

/** A sentence about why a server cannot be used, and what to do. */
export function explainPostgres(error: unknown, shown: string): string {
  const code = errorCode(error) ?? ''
  const message = error instanceof Error ? error.message : ''
  const advice =
    advices.find(([codes]) => codes.includes(code))?.[1] ??
    hints.find(([words]) => words.test(message))?.[1] ??
    'cannot be used: see that it runs'
  return `The PostgreSQL database at ${shown} ${advice}${code === '' ? '' : ` (${code})`}.`
}

const lost: Failure = { retry: true, broken: true, lost: true }

/** Serialization failure, deadlock. */
const conflicts = new Set(['40001', '40P01'])

/** The server ends or starts, the network is gone, a standby has taken the place of the primary. */
const losses = new Set([
  ...['08000', '08001', '08003', '08004', '08006', '08007'],
  ...['57P01', '57P02', '57P03', '57P05', '25006', '25P03', '40003'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOENT'],
])

/** The name of the host, or the database, does not exist. */
const shortages = new Set(['ENOTFOUND', '3D000'])

const advices: readonly (readonly [codes: readonly string[], advice: string])[] = [
  [
    ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'ENOENT', 'EPIPE'],
    'cannot be reached: see that it runs, and that host and port are right',
  ],
  [['ENOTFOUND', 'EAI_AGAIN'], 'cannot be reached: there is no host of this name'],
  [['28P01'], 'refuses the user: see that user and password are right'],
  [['28000'], 'refuses the user: see that the name is right, and add ?sslmode=require if the server wants TLS'],
  [['3D000'], 'does not exist: create it, or see that its name is right'],
  [['42501'], 'cannot be set up: give the user the right to create tables in it'],
  [['53300'], 'has no free connection: let it take more, or use a smaller poolSize'],
  [['53100'], 'cannot grow, because its disk is full: make room'],
  [['57P03'], 'is starting up: wait a moment'],
  [['25006'], 'cannot be written: name the primary, not a standby'],
  [['42P07'], 'holds tables of another program: give the store a database of its own'],
  [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    'has a certificate that cannot be verified: name its authority with ?sslrootcert=<file>',
  ],
]

/** What to do about errors of pg that have no code. */
const hints: readonly (readonly [words: RegExp, advice: string])[] = [
  [/password must be a string/, 'wants a password: put one into the address'],
  [/does not support SSL/, 'does not speak TLS: take sslmode out of the address'],
  [/timeout|terminated/, 'does not answer: see that it runs, and that host and port are right'],
]

/** Some losses of the connection, and a pool without a free one, have a message and no code. */
function failureWithoutCode(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message.includes('timeout exceeded when trying to connect'))
    return { retry: false, broken: false, lost: false }
  return /\bconnection\b|Query read timeout|not queryable/i.test(error.message) ? lost : undefined
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // Several addresses of one host, none of which could be reached.
  if (error instanceof AggregateError) return errorCode(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
