import type { Edit } from './core.ts'

/** A one-line defect in the core, and the case that detects it. */
export interface Defect extends Edit {
  readonly name: string
  /** Name of the case in cases.ts that detects the defect. */
  readonly foundBy: string
}

/** Defects that the explorer must detect. Each defect replaces a string that the core contains exactly once. */
export const defects: readonly Defect[] = [
  {
    name: 'settling one attempt removes all open attempts',
    from: 'known.openAttempts.filter((each) => each !== own)',
    to: 'none',
    foundBy: 'rejection after an unknown outcome, honors',
  },
  {
    name: 'a window is one millisecond too long',
    from: 'now - waitedMs >= endOf(succeeded)',
    to: 'now - waitedMs > endOf(succeeded)',
    foundBy: 'one click twice, plain',
  },
  {
    name: 'a window is one millisecond too short',
    from: 'now - waitedMs >= endOf(succeeded)',
    to: 'now - waitedMs + 1 >= endOf(succeeded)',
    foundBy: 'one click twice, plain',
  },
  {
    name: 'a success is replayed without a window',
    from: 'now - waitedMs >= endOf(succeeded) ?',
    to: 'now < 0 ?',
    foundBy: 'one click twice, fences',
  },
  {
    name: 'leases have no duration',
    from: 'return now < aliveAt + leaseMs',
    to: 'return now < aliveAt',
    foundBy: 'one click twice, does not fence',
  },
  {
    name: 'a lease is not renewed',
    from: '{ ...each, aliveAt: now } : each',
    to: 'each : each',
    foundBy: 'late and repeated settle, does not fence',
  },
  {
    name: 'another change between a click and its repeat is ignored',
    from: "if (document.lastChange > succeeded.number) return 'free'",
    to: '',
    foundBy: 'add, undo, add, plain',
  },
  {
    name: 'a change that overlaps a click counts as a later change',
    from: "if (document.lastChange > succeeded.number) return 'free'",
    to: "if (document.lastChange > 1) return 'free'",
    foundBy: 'another change at every point, then a repeat of the first, plain',
  },
  {
    name: 'an unfinished change between a click and its repeat is ignored',
    from: 'if (open !== undefined) {',
    to: 'if (open === null) {',
    foundBy: 'add, undo, add, plain',
  },
  {
    name: 'the window starts at the first attempt instead of the success',
    from: 'const success = { number, by: attempt, at: now,',
    to: 'const success = { number, by: attempt, at: instance.firstAt,',
    foundBy: 'retry after an unknown outcome, sent twice, fences',
  },
  {
    name: 'the first replay of an unreported success does not start the window',
    from: "{ ...succeeded, by: '', at: now, isReported: true }",
    to: "{ ...succeeded, by: '', isReported: true }",
    foundBy: 'ends of the longest periods, plain',
  },
  {
    name: 'an unreported success is stored only for its window',
    from: 'Math.max(windowMs, unreportedMs)',
    to: 'windowMs',
    foundBy: 'one click twice, plain',
  },
  {
    name: 'an unknown outcome expires after an hour',
    from: '(first?.at ?? firstAt) + dayMs',
    to: '(first?.at ?? firstAt) + dayMs / 24',
    foundBy: 'one click twice, plain',
  },
  {
    name: 'an unknown outcome releases the click',
    from: "outcome === 'unknown'\n      ?",
    to: "outcome === 'succeeded'\n      ?",
    foundBy: 'one click twice, plain',
  },
  {
    name: 'attempts after the first have a different platform key',
    from: 'await mutation.run(attempt.key,',
    to: 'await mutation.run(attempt.options.attempt,',
    foundBy: 'one click twice, honors',
  },
  {
    name: 'a named click has a random platform key',
    from: 'freshInstance(click, click.derivedKey ?? attempt, now)',
    to: 'freshInstance(click, attempt, now)',
    foundBy: 'emptied ledger, named, honors',
  },
  {
    name: 'the second compare-and-set after not_applied does not compare',
    from: 'if (known?.reconciling?.id !== held.attempt || !isAlive(known.reconciling, now))',
    to: 'if (known === undefined)',
    foundBy: 'two retries reconcile, clock step, fences',
  },
  {
    name: 'a repeated claim is treated as a new attempt',
    from: 'const begun = each.openAttempts.find(({ id }) => id === attempt)\n    if (begun !== undefined) return end(',
    to: 'const begun = each.openAttempts.find(() => false)\n    if (begun !== undefined) return end(',
    foundBy: 'repeated write, plain',
  },
  {
    name: 'a repeated transaction is treated as a new attempt',
    from: "if (each.succeeded?.by === attempt) return end({ state: 'ran' })",
    to: '',
    foundBy: 'window of 0, transaction runs again, transactional',
  },
  {
    name: 'a young ledger is ignored',
    from: 'const reconciles = request.isYoung &&',
    to: 'const reconciles = request.isYoung && now < 0 &&',
    foundBy: 'emptied ledger, fences',
  },
  {
    name: 'a ledger that is emptied between the two documents is not detected',
    from: 'if (isYoung && !this.isYoung)',
    to: 'if (isYoung && this.isYoung && now < 0)',
    foundBy: 'emptied ledger, named, fences',
  },
  {
    name: 'an idempotency key is accepted with a different body',
    from: 'last.fingerprint === click.fingerprint\n      ?',
    to: 'last.key !== click.fingerprint\n      ?',
    foundBy: 'another body with the same key, plain',
  },
  {
    name: 'a success counts as reported after its caller has disconnected',
    from: 'const settling = attempt.settle(successOf(mutation), mutation.onLedgerError)',
    to: "const settling = attempt.settle('succeeded', mutation.onLedgerError)",
    foundBy: 'one click twice, plain',
  },
  {
    name: 'the outcome from reconcile is not stored',
    from: 'await attempt.settle(successOf(mutation), mutation.onLedgerError)',
    to: "await attempt.settle('rejected', mutation.onLedgerError)",
    foundBy: 'retry after an unknown outcome, sent twice, fences',
  },
  {
    name: 'a rejection counts as an unknown outcome',
    from: '} else await attempt.settle(failureOf(error), mutation.onLedgerError)',
    to: "} else await attempt.settle('unknown', mutation.onLedgerError)",
    foundBy: 'rejected, then repeated, plain',
  },
  {
    name: 'a platform that has forgotten its keys receives a retry',
    from: "now < last.firstAt + repeatableMs ? 'retry'",
    to: "repeatableMs > 0 ? 'retry'",
    foundBy: 'ends of the time for which the platform stores a key, honors for a time',
  },
  {
    name: 'the API key is part of the identity',
    from: 'scope, testMode, key, windowMs: windowsMs[name]',
    to: "scope: scope + call.header('x-integration-api-key'), testMode, key, windowMs: windowsMs[name]",
    foundBy: 'key rotation, plain',
  },
  {
    name: 'a document of another version counts as empty',
    from: 'if (!isDocument(stored)) throw',
    to: 'if (!isDocument(stored)) return openDocument(undefined, now)\n  if (now < 0) throw',
    foundBy: 'documents of another version, plain',
  },
  {
    name: 'a full document drops its oldest click',
    from: '>= (request.maxClicks ?? maxClicks)) return',
    to: '>= maxClicks) pruned.instances.shift()\n  if (now < 0) return',
    foundBy: 'at most two clicks in a document, plain',
  },
  {
    name: 'a failed transaction releases its outside claim',
    from: 'pending.outside?.settle(pending.failsAs)',
    to: "pending.outside?.settle('released')",
    foundBy: 'one click twice, outside',
  },
  {
    name: 'a transaction does not settle its outside claim',
    from: "held.gate, 'succeeded', at)",
    to: "held.gate, 'rejected', at)",
    foundBy: 'one click twice, outside',
  },
]
