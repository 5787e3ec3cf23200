import type { Failure } from './connections.ts'

/** Classifies an error from `pg`: a server error by its SQLSTATE, or a connection error. */
export function postgresFailure(error: unknown): Failure | undefined {
  const code = errorCode(error)
  if (code === undefined) return failureWithoutCode(error)
  if (conflicts.has(code)) return { retry: true, broken: false, lost: false }
  if (losses.has(code)) return lost
  if (shortages.has(code) || code.startsWith('53') || code.startsWith('28'))
    return { retry: false, broken: true, lost: false }
  // 57014: the statement timed out or was cancelled. 55P03: the lock was not available in time.
  if (code === '57014' || code === '55P03') return { retry: false, broken: false, lost: false }
  return undefined
}

/** Returns a message for the operator: why the database cannot be used, and what to do. */
export function explainPostgres(error: unknown, label: string): string {
  const code = errorCode(error) ?? ''
  const message = error instanceof Error ? error.message : ''
  const [problem, action] =
    advices.find(([codes]) => codes.includes(code))?.[1] ??
    hints.find(([words]) => words.test(message))?.[1] ??
    (['cannot be used', 'Check that the server is running'] as const)
  return `The PostgreSQL database at ${label} ${problem}${code === '' ? '' : ` (${code})`}. ${action}.`
}

const lost: Failure = { retry: true, broken: true, lost: true }

/** Error codes for a serialization failure and a deadlock. */
const conflicts = new Set(['40001', '40P01'])

/** Error codes for a server that stops or starts, for a network failure, and for a server that became a standby. */
const losses = new Set([
  ...['08000', '08001', '08003', '08004', '08006', '08007'],
  ...['57P01', '57P02', '57P03', '57P05', '25006', '25P03', '40003'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOENT'],
])

/** Error codes for a host name or a database that does not exist. */
const shortages = new Set(['ENOTFOUND', '3D000'])

type Advice = readonly [problem: string, action: string]

const checkServer = 'Check that the server is running, and check the host and the port'

const advices: readonly (readonly [codes: readonly string[], advice: Advice])[] = [
  [
    ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'ENOENT', 'EPIPE'],
    ['cannot be reached', checkServer],
  ],
  [
    ['ENOTFOUND', 'EAI_AGAIN'],
    ['cannot be reached', 'Check the host name'],
  ],
  [['28P01'], ['rejects the user', 'Check the user name and password']],
  [['28000'], ['rejects the user', 'Check the user name, and add ?sslmode=require if the server requires TLS']],
  [['3D000'], ['does not exist', 'Create the database, or check its name in the URL']],
  [['42501'], ['cannot be set up', 'Grant the user the permission to create tables']],
  [
    ['3F000', '42P01'],
    ['has no schema for the tables', 'Create the schema in search_path, or correct search_path in the URL'],
  ],
  [['53300'], ['has no free connection', 'Raise max_connections or lower poolSize']],
  [['53100'], ['cannot grow because its disk is full', 'Free disk space']],
  [['57P03'], ['is starting up', 'Try again in a moment']],
  [['25006'], ['is read-only', 'Connect to the primary, not to a standby']],
  [
    ['42P05', '26000'],
    ['is behind a pooler in transaction mode', 'Use session mode, or connect to the server directly'],
  ],
  [['42P07'], ['contains tables from another program', 'Use a separate database for the store']],
  [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['has a certificate that cannot be verified', 'Pass its certificate authority with ?sslrootcert=<file>'],
  ],
]

/** Advice for `pg` errors without a code, by error message. */
const hints: readonly (readonly [words: RegExp, advice: Advice])[] = [
  [/password must be a string/, ['requires a password', 'Add the password to the URL']],
  [/does not support SSL/, ['does not support TLS', 'Remove sslmode from the URL']],
  [/timeout|terminated/, ['does not respond', checkServer]],
]

/** Classifies errors without a code: some lost connections, and timeouts of a wait for a free connection. */
function failureWithoutCode(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message.includes('timeout exceeded when trying to connect'))
    return { retry: false, broken: false, lost: false }
  return /\bconnection\b|Query read timeout|not queryable/i.test(error.message) ? lost : undefined
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // Node throws an AggregateError if a host has several IP addresses and all are unreachable.
  if (error instanceof AggregateError) return errorCode(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
